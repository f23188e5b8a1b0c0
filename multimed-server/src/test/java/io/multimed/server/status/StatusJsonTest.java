package io.multimed.server.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.model.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusJsonTest {
    private static final InstanceStatus STATUS = new InstanceStatus(
            "postgresql://127.0.0.1:7432/postgres",
            true,
            77,
            List.of(
                    new NodeStatus(
                            "master",
                            Role.MASTER,
                            "serving",
                            "",
                            4,
                            List.of(0, 1),
                            "/run/m",
                            5432,
                            77,
                            0,
                            3,
                            9,
                            List.of()),
                    new NodeStatus(
                            "satellite-1",
                            Role.SATELLITE,
                            "down",
                            "its \"engine\"\nended",
                            0,
                            List.of(2),
                            "/run/s",
                            5432,
                            70,
                            1.5,
                            0,
                            0,
                            List.of("public.a", "\"My\".b"))));

    @Test
    void hasTheFieldsThatAreDocumentedOnOneLine() {
        assertEquals("""
                {"endpoint":"postgresql://127.0.0.1:7432/postgres","ending":true,"scn":77,"nodes":[\
                {"name":"master","role":"master","state":"serving","detail":"","pid":4,"cores":[0,1],"host":"/run/m",\
                "port":5432,"applied":77,"lag_ms":0.0,"active":3,"served":9,"tables":[]},\
                {"name":"satellite-1","role":"satellite","state":"down","detail":"its \\"engine\\"\\nended","pid":0,\
                "cores":[2],"host":"/run/s","port":5432,"applied":70,"lag_ms":1.5,"active":0,"served":0,\
                "tables":["public.a","\\"My\\".b"]}]}""", StatusJson.write(STATUS));
    }

    @Test
    void readsWhatItWrites() {
        assertEquals(STATUS, StatusJson.read(StatusJson.write(STATUS)));
    }

    @Test
    void refusesWhatIsNoStatus() {
        assertThrows(IllegalArgumentException.class, () -> StatusJson.read("{\"endpoint\":"));
        assertThrows(IllegalArgumentException.class, () -> StatusJson.read("{}"));
    }
}
