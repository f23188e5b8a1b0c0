package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The content of a unit in a form in which two units can be compared, whatever names their clients give to statements. */
final class ReadKey {
    private final Function<String, @Nullable PreparedStatement> known;
    private final List<Object> meanings = new ArrayList<>(2);
    /** For each statement name, the index of the unit's Parse message that last prepared it. */
    private final Map<String, Integer> parsed = new HashMap<>(2);

    private int parses;
    private final ByteBuf text;

    private ReadKey(Function<String, @Nullable PreparedStatement> known, int length) {
        this.known = known;
        text = Unpooled.buffer(length);
    }

    /**
     * Returns the key of the unit at the head of {@code in}.
     *
     * @param begins whether it begins with a BEGIN, which is not sent to an engine
     * @param known returns the statement that the client has prepared before under a name
     * @return null if the text does not determine the unit or its reply, for example because they depend on the session's unnamed
     *     statement
     */
    static @Nullable ReadKey of(
            ByteBuf in, int length, boolean begins, Function<String, @Nullable PreparedStatement> known) {
        int start = in.readerIndex();
        int end = start + length;
        ReadKey wording = new ReadKey(known, length);
        if (in.getByte(start) == Frontend.QUERY) {
            wording.text.writeBytes(in, start, length);
            return wording;
        }
        boolean inBegin = begins;
        for (int at = start; at < end; ) {
            byte type = in.getByte(at);
            int total = in.getInt(at + 1) + 1;
            if (!(inBegin ? isHeardByNobody(in, at) : wording.add(in, at, total))) {
                return null;
            }
            inBegin &= type != Frontend.EXECUTE;
            at += total;
        }
        return wording;
    }

    /** The text without names of prepared statements, for which there are {@link #meanings}. */
    ByteBuffer text() {
        return ByteBuffer.wrap(ByteBufUtil.getBytes(text));
    }

    /**
     * The meanings of the statement names, in the order of the text. For a statement that the unit itself has prepared, the meaning
     * is the index of its Parse message.
     */
    List<Object> meanings() {
        return meanings;
    }

    /** Whether Multimed alone answers this message of a BEGIN, without using an engine's description. */
    private static boolean isHeardByNobody(ByteBuf in, int at) {
        return in.getByte(at) != Frontend.PARSE && !describesStatement(in, at);
    }

    private static boolean describesStatement(ByteBuf in, int at) {
        return in.getByte(at) == Frontend.DESCRIBE && in.getByte(at + 5) == 'S';
    }

    /**
     * Adds a message.
     *
     * @return whether the message can be compared
     */
    private boolean add(ByteBuf in, int at, int total) {
        byte type = in.getByte(at);
        if (type == Frontend.PARSE) {
            var parse = ExtendedMessage.Parse.decode(in, at);
            if (parse == null) {
                return false;
            }
            parsed.put(parse.name(), parses++);
            int nameEnd = 5 + parse.name().length();
            text.writeByte(type).writeBytes(in, at + nameEnd, total - nameEnd);
            return true;
        }
        if (type == Frontend.BIND) {
            var bind = ExtendedMessage.Bind.decode(in, at);
            Object meaning = bind == null ? null : meaning(bind.statement());
            if (bind == null || meaning == null) {
                return false;
            }
            meanings.add(meaning);
            text.writeByte(type).writeBytes(in, at + 5, bind.statementStart() - 5);
            text.writeBytes(in, at + bind.statementEnd(), total - bind.statementEnd());
            return true;
        }
        // A statement has another name on each engine, and the session remembers which result description its client
        // has received. So a Describe of a statement cannot be shared.
        if (describesStatement(in, at)) {
            return false;
        }
        text.writeBytes(in, at, total);
        return true;
    }

    private @Nullable Object meaning(String name) {
        Integer own = parsed.get(name);
        if (own != null || name.isEmpty()) {
            return own;
        }
        PreparedStatement statement = known.apply(name);
        return statement == null ? null : statement.meaning();
    }
}
