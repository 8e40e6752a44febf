//! The built-in formats: the files of the folder `formats`.

/// Makes a list of names and texts of files.
macro_rules! formats {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../../formats/", $name, ".json")))),*]
    };
}

/// The formats by name, ascending.
pub(super) const FORMATS: &[(&str, &str)] = formats! {
    "apertus"
    "cohere"
    "command_r"
    "deepseek_r1"
    "deepseek_v3_1"
    "deepseek_v3_2"
    "deepseek_v4"
    "deepseek_v4_1"
    "exaone"
    "function_gemma"
    "gemma_4"
    "glm_4_5"
    "glm_4_7"
    "granite"
    "granite_20b"
    "granite_4"
    "harmony"
    "hunyuan"
    "hunyuan_v3"
    "internlm"
    "iquest"
    "jamba"
    "kimi"
    "kimi_k3"
    "lfm2"
    "ling_3"
    "llama"
    "llama_4"
    "longcat"
    "mimo"
    "minicpm_5"
    "minimax"
    "minimax_m3"
    "mistral"
    "mistral_v11"
    "nemotron_3"
    "olmo_3"
    "phi_4_mini"
    "plamo_3"
    "pythonic"
    "qwen_3"
    "qwen_3_5"
    "qwen_3_coder"
    "seed_oss"
    "step_3"
    "step_3_5"
    "xlam"
};
