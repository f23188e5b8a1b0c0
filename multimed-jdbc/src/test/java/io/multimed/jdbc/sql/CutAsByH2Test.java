package io.multimed.jdbc.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.h2.engine.CastDataProvider;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that texts of H2 are split into statements where H2's own tokenizer finds a semicolon, whatever surrounds it. */
class CutAsByH2Test {
    private static final List<String> PIECES = List.of(
            ";",
            ";",
            ";",
            "$$",
            "$$",
            "$",
            "'",
            "''",
            "\"",
            "\"\"",
            "`",
            "/*",
            "*/",
            "/*",
            "*/",
            "--",
            "//",
            "\n",
            "\r",
            " ",
            "a",
            "b1",
            "$1",
            "x$",
            "1",
            "0x1f",
            "1e5",
            "1.5",
            "1L",
            "#",
            "@",
            "?",
            "(",
            ")",
            "E'",
            "N'",
            "X'00'",
            "U&'",
            "U&\"",
            "Ä",
            "€",
            "\uD835\uDD38",
            "_",
            "SELECT",
            "CREATE ALIAS F AS",
            ":",
            "=",
            "+",
            ".",
            "[1]",
            "DATE'",
            "\t",
            "1_000");

    /** H2's own tokenizer; its result is null if it refuses the text. */
    private interface Tokens {
        List<Integer> semicolons(String sql) throws ReflectiveOperationException;
    }

    private static Tokens of(Connection connection) throws ReflectiveOperationException, SQLException {
        CastDataProvider provider =
                (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(CastDataProvider.class, MethodHandles.lookup());
        Class<?> tokenizer = Class.forName("org.h2.command.Tokenizer");
        MethodHandle make = MethodHandles.privateLookupIn(tokenizer, lookup)
                .findConstructor(
                        tokenizer,
                        MethodType.methodType(
                                void.class, CastDataProvider.class, boolean.class, boolean.class, BitSet.class));
        Method tokenize = tokenizer.getDeclaredMethod("tokenize", String.class, boolean.class, BitSet.class);
        tokenize.setAccessible(true);
        Class<?> token = Class.forName("org.h2.command.Token");
        Method start = token.getDeclaredMethod("start");
        start.setAccessible(true);
        Method type = token.getDeclaredMethod("tokenType");
        type.setAccessible(true);
        java.lang.reflect.Field semicolon = token.getDeclaredField("SEMICOLON");
        semicolon.setAccessible(true);
        int wanted = semicolon.getInt(null);
        return sql -> {
            try {
                Object one = make.invoke(provider, true, false, null);
                List<Integer> found = new ArrayList<>();
                for (Object next : (List<?>) tokenize.invoke(one, sql, false, new BitSet())) {
                    if ((int) type.invoke(next) == wanted) {
                        found.add((Integer) start.invoke(next));
                    }
                }
                return found;
            } catch (InvocationTargetException e) {
                return List.of(-1);
            } catch (Throwable e) {
                throw new ReflectiveOperationException(e);
            }
        };
    }

    private static List<Integer> cuts(String sql) {
        SqlLexer lexer = new SqlLexer(sql, Dialect.H2);
        List<Integer> cuts = new ArrayList<>();
        for (SqlToken.Kind kind = lexer.next(); kind != SqlToken.Kind.END; kind = lexer.next()) {
            if (kind == SqlToken.Kind.SYMBOL && lexer.symbol() == ';') {
                cuts.add(lexer.start());
            }
        }
        return cuts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ";MODE=MySQL", ";MODE=MSSQLServer", ";MODE=DB2"})
    void randomTexts(String mode) throws SQLException, ReflectiveOperationException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + mode, "SA", "")) {
            Tokens h2 = of(connection);
            Random random = new Random(20261127);
            int understood = 0;
            for (int i = 0; i < Integer.getInteger("multimed.cuts", 20_000); i++) {
                StringBuilder sql = new StringBuilder();
                for (int n = 2 + random.nextInt(14); n > 0; n--) {
                    int piece = random.nextInt(PIECES.size() + 1);
                    sql.append(piece < PIECES.size() ? PIECES.get(piece) : mode.contains("MSSQL") ? "[a; b]" : ";");
                }
                String text = sql.toString();
                List<Integer> expected = h2.semicolons(text);
                if (!expected.contains(-1)) {
                    understood += expected.isEmpty() ? 0 : 1;
                    assertEquals(expected, cuts(text), text);
                }
            }
            assertTrue(understood > 500, understood + " texts had semicolons that H2 saw");
        }
    }
}
