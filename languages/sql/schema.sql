CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, since INTEGER);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), placed TEXT, status TEXT, total REAL);
CREATE TABLE items ("order" INTEGER REFERENCES orders (id), product TEXT, quantity INTEGER, "price in €" REAL, "size (\ ""inch"")" TEXT);
