package io.multimed.cli;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The effect of Ctrl-C on the built-in shell, as on psql. The shell has one thread; the key is pressed on another. */
final class ShellInterrupts {
    /** Makes a connection. */
    interface Connector {
        Connection connect() throws SQLException;
    }

    private final PrintStream out;
    private final PrintStream err;
    private @Nullable Statement running;
    private @Nullable CompletableFuture<Connection> connecting;
    /** The prompt for the first line of a statement; null unless a line is being typed. */
    private @Nullable String prompt;
    /** Whether the shell waits for the first connection, or for input that is not typed. */
    private boolean waiting = true;
    /** Whether the key was pressed since the last line was read, or since the statement in it began. */
    private boolean happened;

    ShellInterrupts(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Shows a prompt: {@code more} when what was read belongs to a statement that goes on, {@code first} when the key has cleared it. The
     * key clears it while the prompt is shown, and just as well while the shell still handles the line before.
     */
    synchronized void prompt(String more, String first) {
        out.print(happened ? first : more);
        out.flush();
        prompt = first;
    }

    /** Notes that the shell waits for a line of input that is not typed. */
    synchronized void reading() {
        waiting = true;
    }

    /** Notes that a line has been read. @return whether the input before it has been cleared */
    synchronized boolean read() {
        boolean cleared = happened;
        prompt = null;
        waiting = false;
        happened = false;
        return cleared;
    }

    /** Notes that the statement is about to be executed. */
    synchronized void running(Statement statement) {
        running = statement;
        waiting = false;
        happened = false;
    }

    /** Notes that no statement is executed any more. */
    synchronized void ended() {
        running = null;
    }

    /** Whether the key was pressed since the last line was read, or since the statement in it began. */
    synchronized boolean hasHappened() {
        return happened;
    }

    /** Makes a connection; the key takes effect even while this waits. */
    Connection connecting(Connector connector) throws SQLException {
        CompletableFuture<Connection> made = new CompletableFuture<>();
        synchronized (this) {
            connecting = made;
        }
        Thread.ofVirtual().start(() -> connect(connector, made));
        try {
            return made.join();
        } catch (CancellationException e) {
            throw new SQLException("the attempt to connect was canceled", e);
        } catch (CompletionException e) {
            throw e.getCause() instanceof SQLException failed ? failed : new SQLException(e);
        } finally {
            synchronized (this) {
                connecting = null;
            }
        }
    }

    private static void connect(Connector connector, CompletableFuture<Connection> made) {
        try {
            Connection connection = connector.connect();
            if (!made.complete(connection)) {
                connection.close();
            }
        } catch (SQLException | RuntimeException e) {
            made.completeExceptionally(e);
        }
    }

    /**
     * @return false if the shell waits for something that the key does not end
     */
    boolean pressed() {
        Statement statement;
        synchronized (this) {
            happened = true;
            statement = running;
            if (statement == null) {
                return clear();
            }
        }
        // The lock is not held here, since cancelling takes a connection to the server.
        try {
            statement.cancel();
            err.println("Cancel request sent");
        } catch (SQLException e) {
            err.println("Could not send cancel request: " + e.getMessage());
        }
        return true;
    }

    private boolean clear() {
        if (connecting != null) {
            connecting.cancel(false);
            return true;
        }
        if (prompt == null) {
            // The next prompt is for a new statement.
            return !waiting;
        }
        out.println();
        out.print(prompt);
        out.flush();
        return true;
    }
}
