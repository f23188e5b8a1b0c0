CREATE VIEW titles AS SELECT item.title, author.name FROM item JOIN author ON author.id = item.author;
