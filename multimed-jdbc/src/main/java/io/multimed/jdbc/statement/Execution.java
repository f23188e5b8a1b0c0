package io.multimed.jdbc.statement;

import java.sql.SQLException;
import java.sql.Statement;

/** One way of executing a statement. It captures no variables if possible, so that executing allocates nothing. */
@FunctionalInterface
interface Execution {
    Execution QUERY = (self, physical, sql) -> self.answer(physical.executeQuery(sql));
    Execution UPDATE = (self, physical, sql) -> physical.executeUpdate(sql);
    Execution LARGE_UPDATE = (self, physical, sql) -> physical.executeLargeUpdate(sql);
    Execution ANY = (self, physical, sql) -> physical.execute(sql) ? 1 : 0;

    /**
     * Executes the text.
     *
     * @param sql the present text: that of the statement, or a part of it
     * @return the number of rows, or 1 if there is a result set; {@link LogicalStatement#answer} keeps a query's result set
     */
    long on(LogicalStatement self, Statement physical, String sql) throws SQLException;
}
