package io.multimed.sql;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Transaction modes, as in BEGIN and SET TRANSACTION. If a mode is given twice, the last one counts. */
final class TransactionModes {
    private Optional<Isolation> isolation = Optional.empty();
    private Optional<Boolean> readOnly = Optional.empty();
    private Optional<Boolean> deferrable = Optional.empty();

    private TransactionModes() {}

    /** Reads the modes that are next. */
    static TransactionModes read(TokenCursor cursor) {
        TransactionModes modes = new TransactionModes();
        while (modes.readOne(cursor)) {
            if (cursor.peek().is(',') && !cursor.peek(1).equals(Token.END)) {
                cursor.skip(1);
            }
        }
        return modes;
    }

    Optional<Isolation> isolation() {
        return isolation;
    }

    Optional<Boolean> readOnly() {
        return readOnly;
    }

    Optional<Boolean> deferrable() {
        return deferrable;
    }

    private boolean readOne(TokenCursor cursor) {
        int before = cursor.position();
        if (cursor.accept("isolation", "level")) {
            Isolation level = isolationLevel(cursor);
            if (level == null) {
                cursor.position(before);
                return false;
            }
            isolation = Optional.of(level);
        } else if (cursor.accept("read", "only")) {
            readOnly = Optional.of(true);
        } else if (cursor.accept("read", "write")) {
            readOnly = Optional.of(false);
        } else if (cursor.accept("not", "deferrable")) {
            deferrable = Optional.of(false);
        } else if (cursor.accept("deferrable")) {
            deferrable = Optional.of(true);
        } else {
            return false;
        }
        return true;
    }

    private static @Nullable Isolation isolationLevel(TokenCursor cursor) {
        if (cursor.accept("read", "committed")) {
            return Isolation.READ_COMMITTED;
        }
        if (cursor.accept("read", "uncommitted")) {
            return Isolation.READ_UNCOMMITTED;
        }
        if (cursor.accept("repeatable", "read")) {
            return Isolation.REPEATABLE_READ;
        }
        return cursor.accept("serializable") ? Isolation.SERIALIZABLE : null;
    }
}
