package dev.sluice.samples.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.CommandRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the tour prints, measured far too shortly to be true. */
class TourTest {

    @Test
    void measuresAllThatWorksHere() throws Exception {
        CommandRun tour = CommandRun.of("tour", "--millis", "5");
        assertEquals(0, tour.exitCode(), tour::errors);
        assertEquals(1, bars(tour, "java.nio Selector"));
        assertEquals(1, bars(tour, "FileChannel"));
        for (Mechanism mechanism : Mechanism.available()) {
            String pattern = mechanism.mode() == Mode.SYNCHRONOUS ? "Reactor" : "Proactor";
            String name = pattern + ", " + mechanism.name() + " ";
            // One of them reads the file, too.
            long bars = bars(tour, name);
            assertTrue(mechanism.availability().usable() ? bars == 1 || bars == 2 && pattern.equals("Proactor")
                    : bars == 0, () -> name + tour.output());
        }
    }

    private static long bars(CommandRun tour, String name) {
        return tour.output().lines().filter(line -> line.startsWith("  " + name) && line.contains(" #")).count();
    }

    /** A contestant whose rounds have given rates. */
    private static final class Played implements MeasuredPeer {

        private final String name;
        private final double[] rates;
        private int round;

        Played(String name, double... rates) {
            this.name = name;
            this.rates = rates;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public double measure(long nanos) {
            return rates[round++];
        }

        @Override
        public void close() throws IOException {
            throw new IOException("closed by the one who has opened it, not by the race");
        }
    }

    @Test
    void drawsTheBestRoundsAndIgnoresTheFirst() throws Exception {
        StringWriter text = new StringWriter();
        List<MeasuredPeer> contestants = List.of(new Played("base", 900, 100, 200), new Played("other", 900, 50, 100));
        double spread = new Race(contestants, 2, 1).run(new PrintWriter(text), "a second");
        assertEquals(2, spread);
        List<String> lines = text.toString().lines().toList();
        assertEquals("  base   " + "#".repeat(40) + "   1.00   200 a second", lines.get(0));
        assertEquals("  other  " + "#".repeat(20) + " ".repeat(20) + "   0.50   100 a second", lines.get(1));
    }
}
