package io.multimed.engine.postgresql.copy;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The relations whose files the copy for a partial Satellite lacks: those of one database that the Satellite does not carry, and
 * all of the other databases. The catalogs of every database are always copied, since recovery needs them.
 */
public final class LeftOutFiles {
    /** Nothing is left out: the copy is a full one. */
    public static final LeftOutFiles NONE = new LeftOutFiles(0, Set.of());

    /** The least number of a user's object (FirstNormalObjectId in access/transam.h). */
    private static final long FIRST_USER_OBJECT = 16_384;

    private static final Pattern DATABASE = Pattern.compile("\\d{1,10}");
    private static final Pattern RELATION = Pattern.compile("(\\d{1,10})(?:_(?:fsm|vm|init))?(?:\\.\\d+)?");

    private final long database;
    private final Set<Long> fileNodes;

    /**
     * @param database OID of the database whose tables are carried
     * @param fileNodes numbers of the files ({@code pg_relation_filenode}) of its relations that are not
     */
    public LeftOutFiles(long database, Set<Long> fileNodes) {
        this.database = database;
        this.fileNodes = Set.copyOf(fileNodes);
    }

    /** Whether a file is left out; {@code directory} is the one in which it lies. */
    boolean contains(Path directory, String name) {
        if (database == 0) {
            return false;
        }
        Matcher relation = RELATION.matcher(name);
        String of = directory.getFileName().toString();
        if (!relation.matches() || !DATABASE.matcher(of).matches()) {
            return false;
        }
        long fileNode = Long.parseLong(relation.group(1));
        return Long.parseLong(of) == database ? fileNodes.contains(fileNode) : fileNode >= FIRST_USER_OBJECT;
    }

    /** Whether the file with this number, of the database whose tables are carried, is left out. */
    public boolean contains(long fileNode) {
        return fileNodes.contains(fileNode);
    }
}
