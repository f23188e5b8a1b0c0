package io.multimed.bench.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {
    private static final Labels LABELS = new Labels("One <against> another", "a machine", "clients", "1/s");

    /** A text on a picture; its width is an estimate. */
    private record Text(String text, double left, double right, double bottom, double size) {
        boolean meets(Text other) {
            return left < other.right
                    && other.left < right
                    && Math.abs(bottom - other.bottom) < Math.min(size, other.size) - 1;
        }
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static List<Element> elements(Document picture, String name) {
        NodeList nodes = picture.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private static double number(Element element, String name) {
        return Double.parseDouble(element.getAttribute(name));
    }

    private static List<Text> texts(Document picture) {
        List<Text> texts = new ArrayList<>();
        for (Element element : elements(picture, "text")) {
            double size = number(element, "font-size");
            double width = Svg.width(element.getTextContent(), size);
            double part = switch (element.getAttribute("text-anchor")) {
                case "end" -> 1;
                case "middle" -> 0.5;
                default -> 0;
            };
            double left = number(element, "x") - part * width;
            texts.add(new Text(element.getTextContent(), left, left + width, number(element, "y"), size));
        }
        return texts;
    }

    private static void assertNoTextMeetsAnother(Document picture) {
        List<Text> texts = texts(picture);
        double width = number(picture.getDocumentElement(), "width");
        for (int i = 0; i < texts.size(); i++) {
            Text one = texts.get(i);
            assertTrue(one.left() >= 0 && one.right() <= width, one + " outside");
            texts.subList(i + 1, texts.size()).forEach(other -> assertTrue(!one.meets(other), one + " on " + other));
        }
    }

    private static LineChart.Line line(String name, double... values) {
        double[] clients = {1, 2, 4, 64, 400, 1000, 2000};
        return new LineChart.Line(
                name,
                "#000000",
                IntStream.range(0, values.length)
                        .mapToObj(i -> new LineChart.Point(clients[i], values[i]))
                        .toList());
    }

    @Test
    void noTextLiesOnAnotherOfLinesThatEndTogether() throws Exception {
        Document picture = parsed(LineChart.of(
                LABELS,
                List.of(
                        line("multimed", 1, 2, 3, 2400, 3760, 4473, 4297),
                        line("standalone", 1, 2, 3, 391, 399, 418, 436),
                        line("standalone-tuned", 1, 2, 3, 729, 752, 808, 440),
                        line("pgbouncer", 1, 2, 3, 4, 5, 6, 0),
                        line("pgpool", 1, 2, 3, 4, 5, 6, 0),
                        line("pgpool-si", 1, 2, 3, 4, 5, 6, 0))));
        assertNoTextMeetsAnother(picture);
        List<String> texts = texts(picture).stream().map(Text::text).toList();
        for (String text :
                List.of("One <against> another", "clients (logarithmic)", "1/s", "multimed 4,297", "0", "5,000")) {
            assertTrue(texts.contains(text), text + texts);
        }
    }

    @Test
    void aLineRisesWithItsValues() throws Exception {
        Document picture = parsed(LineChart.of(LABELS, List.of(line("multimed", 0, 50, 100))));
        String[] points =
                elements(picture, "polyline").getFirst().getAttribute("points").split("[ ,]");
        double bottom = Double.parseDouble(points[1]);
        double half = Double.parseDouble(points[3]);
        double top = Double.parseDouble(points[5]);
        assertEquals((bottom + top) / 2, half, 0.1);
        assertTrue(top < bottom);
    }

    @Test
    void barsAreAsLongAsTheirValuesWithAWhiskerFromTheLeastToTheMost() throws Exception {
        Document picture = parsed(BarChart.of(
                LABELS,
                List.of(
                        new BarChart.Group(
                                "browsing",
                                List.of(
                                        new BarChart.Bar("standalone-tuned", "#111111", 100, 100, 100, "x 2.00"),
                                        new BarChart.Bar("multimed", "#222222", 200, 150, 250, ""))),
                        new BarChart.Group(
                                "ordering", List.of(new BarChart.Bar("multimed", "#222222", 0, 0, 0, ""))))));
        List<Element> bars = elements(picture, "rect").stream()
                .filter(bar -> bar.getAttribute("width").matches("[\\d.]+"))
                .toList();
        assertEquals(3, bars.size());
        double unit = number(bars.getFirst(), "width") / 100;
        assertEquals(200 * unit, number(bars.get(1), "width"), 0.1);
        double begin = number(bars.get(1), "x");
        Element whisker = elements(picture, "line").getFirst();
        assertEquals(begin + 150 * unit, number(whisker, "x1"), 0.2);
        assertEquals(begin + 250 * unit, number(whisker, "x2"), 0.2);
        assertNoTextMeetsAnother(picture);
        assertTrue(texts(picture).stream().anyMatch(text -> text.text().equals("200 (150 to 250)")));
    }

    @Test
    void theNumbersOfAnAxisAreRoundAndEndAboveTheMost() {
        assertEquals(List.of(0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0), ChartNumbers.scale(4473));
        assertEquals(
                List.of(0.0, 0.1, 0.2, 0.3, 0.4),
                ChartNumbers.scale(0.4).stream()
                        .map(n -> Math.round(n * 10) / 10.0)
                        .toList());
        assertEquals(List.of(0.0, 1.0), ChartNumbers.scale(0));
        assertEquals("12,345", ChartNumbers.text(12345.4));
        assertEquals("0.35", ChartNumbers.text(0.349));
    }
}
