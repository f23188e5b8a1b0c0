package io.multimed.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.endpoint.pg.session.reads.MeasuredTimes;
import io.multimed.server.config.PartialSatellite;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that keeps the processor times of long reads on different nodes from one start to the next. They only decide between nodes
 * that give the same answer, so a file that is missing or damaged costs some measurements and nothing else.
 *
 * <p>Times of a partial Satellite are taken over only if it is configured as it was: another index may make other reads fast.
 */
final class ReadTimesFile {
    private static final Logger log = LoggerFactory.getLogger(ReadTimesFile.class);
    private static final String FIRST_LINE = "multimed: processor times of reads, version 2";
    /** Its lines have no database. */
    private static final String FIRST_LINE_OF_VERSION_1 = "multimed: processor times of reads, version 1";

    private static final String WHOLE = "full";
    private static final long LONGEST_FILE = 1 << 20;
    private static final int FIELDS = 4;

    private final Path file;
    private final Map<Long, String> names = new HashMap<>();
    private final Map<String, Long> bits = new HashMap<>();
    /** The databases of the partial Satellites, by their bits. Reads of others are not compared. */
    private final Map<Long, String> databases = new HashMap<>();

    private @Nullable MeasuredTimes times;
    private String written = "";

    /**
     * Creates the file's contents, which are not read yet.
     *
     * @param satellites all of them
     * @param partial the configuration of the partial ones
     */
    ReadTimesFile(Path file, List<ComputationalNode> satellites, List<PartialSatellite> partial) {
        this.file = file;
        add(NodeContents.WHOLE_BIT, WHOLE);
        for (ComputationalNode node : satellites) {
            for (PartialSatellite each : partial) {
                if (each.id().equals(node.id())) {
                    databases.put(node.contents().bit(), each.database());
                    add(
                            node.contents().bit(),
                            node.id().name() + ":"
                                    + Integer.toHexString(each.toString().hashCode()));
                }
            }
        }
    }

    private void add(long bit, String name) {
        names.put(bit, name);
        bits.put(name, bit);
    }

    /**
     * Reads the times, if the file is there and whole.
     *
     * @param into to which they are added, and of which {@link #write} writes all
     */
    synchronized void readInto(MeasuredTimes into) {
        times = into;
        try {
            if (!Files.exists(file)) {
                return;
            }
            if (Files.size(file) > LONGEST_FILE) {
                throw new IOException("it is too long");
            }
            String text = Files.readString(file);
            List<MeasuredTimes.Mean> means = parsed(text);
            means.forEach(into::set);
            written = text;
        } catch (IOException | IllegalArgumentException e) {
            String reason = e instanceof CharacterCodingException ? "it is not text" : e.getMessage();
            log.warn("{} is ignored, long reads are measured anew: {}", file, reason);
        }
    }

    /** @throws IllegalArgumentException if the text is not as it was written */
    private List<MeasuredTimes.Mean> parsed(String text) {
        if (!text.endsWith("\n")) {
            throw new IllegalArgumentException("its last line has no end");
        }
        List<String> lines = text.lines().toList();
        boolean withDatabases = lines.getFirst().equals(FIRST_LINE);
        if (!withDatabases && !lines.getFirst().equals(FIRST_LINE_OF_VERSION_1)) {
            throw new IllegalArgumentException("its first line is not \"" + FIRST_LINE + "\"");
        }
        List<MeasuredTimes.Mean> means = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] fields = line.split(" ", -1);
            if (fields.length != (withDatabases ? FIELDS : FIELDS - 1)) {
                throw new IllegalArgumentException("not a shape, a node, a time and a database: " + line);
            }
            long nanos = Long.parseLong(fields[2]);
            if (nanos <= 0) {
                throw new IllegalArgumentException("not a time: " + line);
            }
            Long node = bits.get(fields[1]);
            long shape = HexFormat.fromHexDigitsToLong(fields[0]);
            if (node != null) {
                Collection<String> of = withDatabases
                        ? List.of(URLDecoder.decode(fields[3], StandardCharsets.UTF_8))
                        : databasesOf(node);
                of.forEach(database -> means.add(new MeasuredTimes.Mean(database, shape, node, nanos)));
            }
        }
        return means;
    }

    /** Returns the databases for which an earlier version may have measured reads on the node. */
    private Collection<String> databasesOf(long node) {
        return node == NodeContents.WHOLE_BIT
                ? new TreeSet<>(databases.values())
                : List.of(Objects.requireNonNull(databases.get(node)));
    }

    /**
     * Writes the times if they have changed since they were read or written. A crash leaves those that were written before, or these.
     */
    synchronized void write() {
        MeasuredTimes measured = times;
        if (measured == null) {
            return;
        }
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        List<MeasuredTimes.Mean> means = measured.all();
        for (MeasuredTimes.Mean mean : means) {
            String name = names.get(mean.node());
            if (name != null) {
                text.append(HexFormat.of().toHexDigits(mean.shape()))
                        .append(' ')
                        .append(name)
                        .append(' ')
                        .append(mean.nanos())
                        .append(' ')
                        .append(URLEncoder.encode(mean.database(), StandardCharsets.UTF_8))
                        .append('\n');
            }
        }
        if (means.isEmpty() || written.contentEquals(text)) {
            return;
        }
        try {
            Path next = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(next, text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            written = text.toString();
        } catch (IOException e) {
            log.warn("The processor times of reads cannot be written: {}", e.getMessage());
        }
    }
}
