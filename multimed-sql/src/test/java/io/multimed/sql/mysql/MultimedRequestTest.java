package io.multimed.sql.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultimedRequestTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"SHOW multimed.route", " show\tMULTIMED . Route ;", "/* from a pool */ SHOW multimed.route;"})
    void aSettingIsAskedFor(String text) {
        assertEquals(new MultimedRequest.ShowSetting("route"), MultimedRequest.of(text));
    }

    @Test
    void aTableIsAskedFor() {
        assertEquals(new MultimedRequest.ShowTable("nodes"), MultimedRequest.of("SHOW MULTIMED\nNODES"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET multimed.freshness = 'session'",
                "set SESSION Multimed.Freshness := \"session\" ;",
                "SET @@multimed.freshness=session",
                "SET @@session.multimed.freshness TO session"
            })
    void aSettingIsMade(String text) {
        assertEquals(new MultimedRequest.SetSetting("freshness", "session", false), MultimedRequest.of(text));
    }

    @Test
    void theDefaultIsAWord() {
        assertEquals(
                new MultimedRequest.SetSetting("max_lag", null, false),
                MultimedRequest.of("SET multimed.max_lag = DEFAULT"));
        assertEquals(
                new MultimedRequest.SetSetting("max_lag", "default", true),
                MultimedRequest.of("SET GLOBAL multimed.max_lag = 'default'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SHOW multimed",
                "SHOW multimed.route LIKE 'x'",
                "SET multimed.freshness = 'strong'; SELECT 1",
                "SET multimed.freshness = 'strong', autocommit = 1",
                "SET multimed.freshness = CONCAT('a', 'b')"
            })
    void othersThatBeginLikeThemAreToldSo(String text) {
        assertInstanceOf(MultimedRequest.Unclear.class, MultimedRequest.of(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "SHOW multimedia",
                "SHOW TABLES FROM multimed",
                "SET multimed = 1",
                "SET autocommit = 1",
                "SELECT 'SHOW multimed.route'",
                "/*! SHOW multimed.route */",
                ""
            })
    void nothingElseConcernsMultimed(String text) {
        assertNull(MultimedRequest.of(text));
    }
}
