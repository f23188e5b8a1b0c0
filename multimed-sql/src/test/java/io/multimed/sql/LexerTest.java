package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that tokens are those of PostgreSQL's scan.l. */
class LexerTest {
    private static final String[] KINDS = {
        "end", "error", "word", "quoted", "string", "bits", "int", "dec", "param", "op", "punct"
    };

    private static String lex(String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        Lexer lexer = new Lexer();
        lexer.reset(bytes, 0, bytes.length);
        StringJoiner tokens = new StringJoiner(" ");
        for (int kind = lexer.next(); kind != Lexer.EOF; kind = lexer.next()) {
            String text = new String(bytes, lexer.start(), lexer.end() - lexer.start(), StandardCharsets.UTF_8);
            tokens.add(kind == Lexer.ERROR ? "error" : KINDS[kind] + ":" + text.replace('\n', '~'));
            if (kind == Lexer.ERROR) {
                break;
            }
        }
        return tokens.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            value = {
                "select A_1$ from t1 ¦ word:select word:A_1$ word:from word:t1",
                "straße größe ¦ word:straße word:größe",
                "a.b.c ¦ word:a punct:. word:b punct:. word:c",
                "\"a \"\"b\"\"\" ¦ quoted:a \"\"b\"\"",
                "\"\" ¦ error",
                "\"open ¦ error",
                "u&\"x\" ¦ error",
                "'it''s' ¦ string:'it''s'",
                "e'a\\'b\\\\' x ¦ string:e'a\\'b\\\\' word:x",
                "E'a\\\\\\'' ¦ string:E'a\\\\\\''",
                "'a\\b\\\\' ¦ string:'a\\b\\\\'",
                "'a\\' ¦ error",
                "'a\\\\\\' ¦ error",
                "'open ¦ error",
                "n'x' N'y' ¦ string:n'x' string:N'y'",
                "u&'d\\0061' ¦ string:u&'d\\0061'",
                "u & 'x' ¦ word:u op:& string:'x'",
                "b'01' X'fF' ¦ bits:b'01' bits:X'fF'",
                "bx'01' ¦ word:bx string:'01'",
                "$$a$$ ¦ string:$$a$$",
                "$a$ $$ $b$ $a$ ¦ string:$a$ $$ $b$ $a$",
                "$a$ $A$ ¦ error",
                "$é_1$x$é_1$ ¦ string:$é_1$x$é_1$",
                "$1 $23, ¦ param:$1 param:$23 punct:,",
                "$1$$x$$ ¦ param:$1 string:$$x$$",
                "$1a ¦ error",
                "a$b$c ¦ word:a$b$c",
                "$1x$ ¦ error",
                "$ ¦ error",
                "1 12.5 1. .5 1e10 1.5E-3 1e+2 ¦ int:1 dec:12.5 dec:1. dec:.5 dec:1e10 dec:1.5E-3 dec:1e+2",
                "0x1F 0o17 0b01 1_000 0x_f 1_0.0_1 ¦ int:0x1F int:0o17 int:0b01 int:1_000 int:0x_f dec:1_0.0_1",
                "1a ¦ error",
                "1e ¦ error",
                "1__0 ¦ error",
                "1_ ¦ error",
                "0x ¦ error",
                "0xg ¦ error",
                "1.a ¦ error",
                "1..2 ¦ int:1 op:.. int:2",
                "a[1:2] ¦ word:a punct:[ int:1 punct:: int:2 punct:]",
                "a::int ¦ word:a op::: word:int",
                "a:=1 b=>2 ¦ word:a op::= int:1 word:b op:=> int:2",
                "a<=b<>c!=d>=e ¦ word:a op:<= word:b op:<> word:c op:!= word:d op:>= word:e",
                "1+-2 ¦ int:1 op:+ op:- int:2",
                "a@-b ¦ word:a op:@- word:b",
                "a*-b ¦ word:a op:* op:- word:b",
                "a->>'b' ¦ word:a op:->> string:'b'",
                "a#>>b?|c@?d ¦ word:a op:#>> word:b op:?| word:c op:@? word:d",
                "a+/*c*/b ¦ word:a op:+ word:b",
                "a+--c ¦ word:a op:+",
                "a/**/b ¦ word:a word:b",
                "a/* /* */ ' */b ¦ word:a word:b",
                "a/* /* */ b ¦ word:a error",
                "a {b} ¦ word:a error",
                "a \\ b ¦ word:a error",
                "*/ ¦ op:*/",
            })
    void cutsAsPostgresqlDoes(String sql, String tokens) {
        assertEquals(tokens, lex(sql));
    }

    @Test
    void continuesStringsInOtherLinesOnly() {
        assertEquals("string:'a'~'b' word:c", lex("'a'\n'b' c"));
        assertEquals("string:'a' -- x~ 'b'", lex("'a' -- x\n 'b'"));
        assertEquals("string:e'a\\''~'b\\''", lex("e'a\\''\n'b\\''"));
        assertEquals("string:'a' string:'b'", lex("'a' 'b'"));
        assertEquals("string:'a' string:'b'", lex("'a' /* x \n */ 'b'"));
        assertEquals("string:'a' word:E error", lex("'a'\nE 'b\\'"));
    }

    @Test
    void endsCommentsWithTheLine() {
        assertEquals("word:a word:b word:c", lex("a -- x ' /*\nb -- y\rc -- z"));
    }

    @Test
    void knowsNoTruncatedIdentifiers() {
        assertEquals("word:" + "a".repeat(63), lex("a".repeat(63)));
        assertEquals("error", lex("a".repeat(64)));
        assertEquals("quoted:" + "a".repeat(63), lex('"' + "a".repeat(63) + '"'));
        assertEquals("error", lex('"' + "é".repeat(32) + '"'));
    }

    @Test
    void refusesZeroBytes() {
        assertEquals("word:a error", lex("a \0"));
        assertEquals("error", lex("'\0'"));
        assertEquals("error", lex("\"\0\""));
        assertEquals("error", lex("$$\0$$"));
    }

    @Test
    void readsFromTheMiddleOfABuffer() {
        byte[] bytes = "xx select 'a'yy'".getBytes(StandardCharsets.UTF_8);
        Lexer lexer = new Lexer();
        lexer.reset(bytes, 3, 13);
        assertEquals(Lexer.WORD, lexer.next());
        assertEquals(Lexer.STRING, lexer.next());
        assertEquals(Lexer.EOF, lexer.next());
        assertTrue(lexer.end() <= 13);
    }
}
