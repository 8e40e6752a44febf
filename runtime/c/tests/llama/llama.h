/* As much of llama.cpp's interface of samplers as maskwright_llama.c uses, written from its documentation: the test needs no llama.cpp.
 * What is compiled with it runs with llama.cpp's library, too: examples/llama-cpp/short does so. */

#ifndef LLAMA_H
#define LLAMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t llama_token;

typedef struct {
    llama_token id;
    float logit;
    float p;
} llama_token_data;

typedef struct {
    llama_token_data *data;
    size_t size;
    int64_t selected;
    bool sorted;
} llama_token_data_array;

struct llama_sampler;

struct llama_sampler_i {
    const char *(*name)(const struct llama_sampler *);
    void (*accept)(struct llama_sampler *, llama_token);
    void (*apply)(struct llama_sampler *, llama_token_data_array *);
    void (*reset)(struct llama_sampler *);
    struct llama_sampler *(*clone)(const struct llama_sampler *);
    void (*free)(struct llama_sampler *);
    /* Then come functions for samplers on a device, which may be null: four or six of them, by version. The library reads as many
     * as it knows: there have to be no fewer here. */
    void (*on_device[10])(void);
};

struct llama_sampler {
    struct llama_sampler_i *iface;
    void *ctx;
};

struct llama_sampler *llama_sampler_init(struct llama_sampler_i *iface, void *ctx);
struct llama_sampler *llama_sampler_clone(const struct llama_sampler *sampler);
void llama_sampler_free(struct llama_sampler *sampler);

#endif
