package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CoreDrawingTest {
    @Test
    void drawsThePapersMachine() throws Exception {
        String plan = MULTIMED.run(0, "plan", "--topology", "opteron-48", "--satellites", "5");
        assertTrue(plan.startsWith("""
                # opteron-48: 48 cores, 8 NUMA nodes, 131072 MB of memory
                #   package 0  die 0   | w w w w M M
                #   package 0  die 1   | M M . . . .
                #   package 1  die 2   | . . . . . .
                #   package 1  die 3   | 1 1 1 1 1 1
                #   package 2  die 4   | 2 2 2 2 2 2
                """), plan);
        assertTrue(plan.contains("\n[nodes.satellite-5]\ncpus = \"42-47\"\nnuma_nodes = [7]\n"), plan);
    }

    @Test
    void drawsWhoSharesACore() throws Exception {
        String plan = MULTIMED.run(0, "plan", "--topology", "vm-2");
        assertTrue(plan.contains("#   package 0  die 0   | wM1 wM1\n"), plan);
        assertTrue(plan.contains("sharing = \"shared\""), plan);
    }

    @Test
    void plansThisMachine() throws Exception {
        assertTrue(MULTIMED.run(0, "plan").contains("[nodes.master]"));
        assertEquals(1, MULTIMED.run(0, "plan", "--satellites", "0").split("\\[nodes\\.").length - 1);
    }
}
