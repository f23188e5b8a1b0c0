ALTER TABLE item ADD COLUMN author INT;
UPDATE item SET author = 1;
ALTER TABLE item ADD CONSTRAINT written_by FOREIGN KEY (author) REFERENCES author(id);
INSERT INTO item VALUES (3, 'third', 9, 1);
