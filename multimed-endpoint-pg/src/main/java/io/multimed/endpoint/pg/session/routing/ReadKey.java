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

/** What a unit tells an engine, so that two can be compared, whatever names their clients give to statements. */
final class ReadKey {
    private final Function<String, @Nullable PreparedStatement> known;
    private final List<Object> meanings = new ArrayList<>(2);
    /** By which of the unit's Parse messages the latest of each name is prepared. */
    private final Map<String, Integer> parsed = new HashMap<>(2);

    private int parses;
    private final ByteBuf text;

    private ReadKey(Function<String, @Nullable PreparedStatement> known, int length) {
        this.known = known;
        text = Unpooled.buffer(length);
    }

    /**
     * The wording of the unit at the head of {@code in}.
     *
     * @param begins it begins with a BEGIN, of which no engine is told
     * @param known what its client has prepared before
     * @return null if more than its words matters: it depends on what the session has prepared unnamed, or what is answered does
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

    /** Without names of prepared statements, for which there are {@link #meanings}. */
    ByteBuffer text() {
        return ByteBuffer.wrap(ByteBufUtil.getBytes(text));
    }

    /** In the order in which the text has their names: what they mean or, if the unit itself has prepared one, its how-manieth that is. */
    List<Object> meanings() {
        return meanings;
    }

    /** Whether a message of a BEGIN is answered by Multimed alone, and not with what an engine tells of it. */
    private static boolean isHeardByNobody(ByteBuf in, int at) {
        return in.getByte(at) != Frontend.PARSE && !describesStatement(in, at);
    }

    private static boolean describesStatement(ByteBuf in, int at) {
        return in.getByte(at) == Frontend.DESCRIBE && in.getByte(at + 5) == 'S';
    }

    /** @return whether the message can be compared */
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
        // An engine is asked about what has other names there, and whom it has told what a statement returns is
        // remembered.
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
