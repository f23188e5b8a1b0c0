package io.multimed.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.BitmapEncoder;

class WhiskeredBarsTest {
    @Test
    void aWhiskerReachesFromTheLeastToTheMostOfItsRuns() {
        WhiskeredBars chart = ChartStyle.bars("throughput", "1/s");
        chart.add("one", List.of("here"), List.of(new Spread(100, 90, 200)), Color.YELLOW);
        BufferedImage image = BitmapEncoder.getBufferedImage(chart);
        int least = (int) Math.round(chart.getScreenYFromChart(90));
        int most = (int) Math.round(chart.getScreenYFromChart(200));
        int x = whisker(image, (least + most) / 2);
        for (int y = most + 1; y < least; y++) {
            assertEquals(Color.BLACK.getRGB(), image.getRGB(x, y), "at " + y);
        }
        assertNotEquals(Color.BLACK.getRGB(), image.getRGB(x, most - 3));
        assertEquals(Color.YELLOW.getRGB(), image.getRGB(x, least + 3));
    }

    private static int whisker(BufferedImage image, int y) {
        for (int x = 100; x < image.getWidth(); x++) {
            if (image.getRGB(x, y) == Color.BLACK.getRGB()) {
                return x;
            }
        }
        throw new AssertionError("there is none");
    }
}
