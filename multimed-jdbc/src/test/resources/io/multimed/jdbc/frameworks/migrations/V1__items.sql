CREATE TABLE item(id INT PRIMARY KEY, title VARCHAR(60) NOT NULL);
INSERT INTO item VALUES (1, 'first');
INSERT INTO item VALUES (2, 'second');
CREATE INDEX item_title ON item(title);
