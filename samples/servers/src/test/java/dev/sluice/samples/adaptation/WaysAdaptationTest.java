package dev.sluice.samples.adaptation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which way is chosen after samples of the cost of each. */
class WaysAdaptationTest {

    private static final FileWays TRANSMITTED = FileWays.of(FileIo.TRANSMIT);
    private static final long SECOND = 1_000_000_000;
    private static final int MANY = 950;

    /** A server that is asked for as much as it can send, by how it sends files of one size. */
    private record Server(SizeClass size, Map<FileIo, Double> speeds, Map<FileIo, Double> cpuTimes) {

        double speed(FileWays ways) {
            return speeds.get(ways.way(size));
        }

        LoadSample sample(FileWays ways, double load, int hits) {
            return sample(ways, load, hits, 1);
        }

        LoadSample sample(FileWays ways, double load, int hits, int requests) {
            List<Long> octets = new ArrayList<>();
            for (SizeClass each : SizeClass.values()) {
                octets.add(each == size ? Math.round(1e9 * load * speed(ways)) : 0L);
            }
            long cpu = Math.round(SECOND * cpuTimes.get(ways.way(size)) * load * speed(ways));
            return new LoadSample(0, 0, hits, 1000 - hits, 0, 10, requests, new Travel(SECOND, cpu, octets));
        }
    }

    private static Server server(SizeClass size, double transmit, double mmap, double read) {
        return new Server(size, Map.of(FileIo.TRANSMIT, transmit, FileIo.MMAP, mmap, FileIo.READ, read),
                Map.of(FileIo.TRANSMIT, 0.5, FileIo.MMAP, 0.5, FileIo.READ, 0.5));
    }

    private static WaysAdaptation run(WaysAdaptation from, Server server, int samples) {
        WaysAdaptation state = from;
        for (int i = 0; i < samples; i++) {
            state = state.next(server.sample(state.inForce(), 1, MANY), true);
        }
        return state;
    }

    private static WaysAdaptation run(Server server, int samples) {
        return run(WaysAdaptation.begin(TRANSMITTED), server, samples);
    }

    /** How fast transmission, mapping and reading are, and what files of that size travel by after a trial. */
    @ParameterizedTest
    @CsvSource({
        "HUGE, 1, 1, 1, TRANSMIT",
        "HUGE, 1, 1.04, 1.04, TRANSMIT",
        "HUGE, 1, 1.2, 1, MMAP",
        "LARGE, 1, 1.1, 1.2, READ",
        "LARGE, 1, 1.2, 1.1, MMAP",
        "LARGE, 1, 0.5, 1.1, READ",
        "MEDIUM, 1, 0.8, 0.8, TRANSMIT",
        "SMALL, 1, 1, 1, READ",
        "SMALL, 2, 1.1, 1, MMAP"})
    void keepsTheFastest(SizeClass size, double transmit, double mmap, double read, FileIo best) {
        WaysAdaptation state = run(server(size, transmit, mmap, read), 20);
        assertEquals(TRANSMITTED.with(size, best), state.kept());
        assertEquals(1, state.trials());
        assertEquals(state.kept(), state.inForce(), "the trial is over");
    }

    /** How fast mapping is, and its processor time for each octet, where those of transmission are 1. */
    @ParameterizedTest
    @CsvSource({
        "1, 0.7, MMAP",
        "1, 0.9, TRANSMIT",
        "0.99, 0.7, MMAP",
        "0.95, 0.7, TRANSMIT",
        "1.1, 1.5, MMAP"})
    void keepsTheCheaperIfItIsAsFast(double speed, double cpu, FileIo best) {
        Server server = new Server(SizeClass.HUGE,
                Map.of(FileIo.TRANSMIT, 1.0, FileIo.MMAP, speed, FileIo.READ, 0.5),
                Map.of(FileIo.TRANSMIT, 0.5, FileIo.MMAP, 0.5 * cpu, FileIo.READ, 0.5));
        assertEquals(best, run(server, 20).kept().huge());
    }

    @Test
    void knowsNoCheaperWayWhereTheSystemDoesNotTell() {
        Server server = new Server(SizeClass.HUGE,
                Map.of(FileIo.TRANSMIT, 1.0, FileIo.MMAP, 1.0, FileIo.READ, 1.0),
                Map.of(FileIo.TRANSMIT, 0.0, FileIo.MMAP, 0.0, FileIo.READ, 0.0));
        assertEquals(TRANSMITTED, run(server, 1000).kept());
    }

    @ParameterizedTest
    @CsvSource({"0.76", "0.5", "0.01", "0.99"})
    void triesAreRareSoThatTheyCostLittle(double others) {
        Server server = server(SizeClass.LARGE, 1, others, others);
        WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
        double done = 0;
        int samples = 2000;
        for (int i = 0; i < samples; i++) {
            done += server.speed(state.inForce());
            state = state.next(server.sample(state.inForce(), 1, MANY), true);
        }
        assertEquals(TRANSMITTED, state.kept());
        assertTrue(done > 0.98 * samples, "it has sent " + done);
        assertTrue(state.trials() >= 4 && state.trials() <= 6, "trials: " + state.trials());
    }

    @Test
    void triesAgainAndGoesBackWhenItIsNoBetterAnyMore() {
        WaysAdaptation mapped = run(server(SizeClass.HUGE, 1, 1.2, 1), 20);
        assertEquals(FileIo.MMAP, mapped.kept().huge());
        assertEquals(FileIo.MMAP, run(mapped, server(SizeClass.HUGE, 1.01, 1, 1), 500).kept().huge(), "no difference");
        assertEquals(FileIo.TRANSMIT, run(mapped, server(SizeClass.HUGE, 1.03, 1, 1), 500).kept().huge());
    }

    @Test
    void triesSoonerUnderAnotherLoad() {
        WaysAdaptation state = run(server(SizeClass.HUGE, 1, 0.9, 0.9), 20);
        assertEquals(1, run(state, server(SizeClass.HUGE, 1.9, 3, 1), 60).trials());
        WaysAdaptation other = run(state, server(SizeClass.HUGE, 2.1, 3, 1), 60);
        assertEquals(2, other.trials());
        assertEquals(FileIo.MMAP, other.kept().huge());
    }

    /** How many clients there are while other ways are tried, how many then, and how often ways have been tried. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 6, 1", "1, 7, 2", "100, 50, 1", "100, 40, 2", "100, 204, 1", "100, 250, 2"})
    void triesSoonerForMoreOrFewerClients(int clients, int then, int trials) {
        Server server = server(SizeClass.HUGE, 1, 0.9, 0.9);
        WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
        for (int i = 0; i < 80; i++) {
            state = state.next(server.sample(state.inForce(), 1, MANY, i < 20 ? clients : then), true);
        }
        assertEquals(trials, state.trials());
    }

    @ParameterizedTest
    @EnumSource
    void learnsOfEachSizeByItself(SizeClass size) {
        WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
        for (SizeClass each : SizeClass.values()) {
            state = run(state, each == size ? server(each, 1, 1.5, 1) : server(each, 1, 0.9, 1), 20);
        }
        assertEquals(TRANSMITTED.with(size, FileIo.MMAP), state.kept());
    }

    /** With chance in each window, it is never far behind the best way. */
    @Test
    void isNearTheBestWayWhateverTheWaysAreLike() {
        int samples = 2000;
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Server server = server(SizeClass.LARGE, speed(random), speed(random), speed(random));
            WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
            double done = 0;
            for (int i = 0; i < samples; i++) {
                done += server.speed(state.inForce());
                state = state.next(server.sample(state.inForce(), 0.98 + 0.04 * random.nextDouble(), MANY), true);
            }
            double part = done / samples / server.speeds().values().stream().mapToDouble(each -> each).max().orElse(0);
            assertTrue(part >= 0.92, () -> server + ": " + part);
        }
    }

    /** Clients take large files in bursts: then it takes longer windows to tell a way that is much better. */
    @Test
    void findsTheBestWayInTheEndWhereClientsTakeAllInBursts() {
        Server server = server(SizeClass.HUGE, 1, 1.3, 2);
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
            int best = 0;
            for (int i = 0; i < 4000; i++) {
                state = state.next(server.sample(state.inForce(), 0.2 + 1.6 * random.nextDouble(), MANY), true);
                best += state.kept().huge() == FileIo.READ ? 1 : 0;
            }
            assertEquals(FileIo.READ, state.kept().huge(), "seed " + seed);
            assertTrue(best > 3000, "of 4000 samples " + best + ", seed " + seed);
        }
    }

    /** Two hundred clients get their files at the same time, once in eight samples. */
    @Test
    void triesForAsLongAsRepliesTake() {
        Server server = server(SizeClass.HUGE, 1, 1.2, 1.1);
        WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
        int samples = 0;
        while (state.trials() == 0 || state.trial() != null) {
            Travel travel = server.sample(state.inForce(), samples % 8 == 7 ? 8 : 0, MANY).travel();
            // What is counted as a reply has been on its way for eight samples, as a rule.
            state = state.next(new LoadSample(25, 0, MANY, 50, 0, 10, 200, travel), true);
            samples++;
        }
        assertEquals(FileIo.MMAP, state.kept().huge());
        assertTrue(samples > 6 * 24, "samples: " + samples);
    }

    private static double speed(Random random) {
        return 0.5 + random.nextDouble();
    }

    @Test
    void mapsOnlyWhatIsAskedForOften() {
        Server server = server(SizeClass.HUGE, 1, 2, 1);
        WaysAdaptation state = run(server, 20);
        assertEquals(FileIo.MMAP, state.kept().huge());
        for (int i = 0; i < 4; i++) {
            state = state.next(server.sample(state.inForce(), 1, 500), true);
            assertEquals(FileIo.MMAP, state.kept().huge());
        }
        state = state.next(server.sample(state.inForce(), 1, 500), true);
        assertEquals(TRANSMITTED, state.kept());
        for (int i = 0; i < 1000; i++) {
            state = state.next(server.sample(state.inForce(), 1, 800), true);
            assertTrue(state.inForce().huge() != FileIo.MMAP, "not even tried");
        }
        assertEquals(FileIo.MMAP, run(state, server, 2000).kept().huge(), "many hits again");
    }

    /** What clients get just after a change is what the sockets held before it. */
    @Test
    void waitsUntilAWayHasAnEffect() {
        Server server = server(SizeClass.HUGE, 1, 2, 1);
        WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
        FileWays before = state.inForce();
        for (int i = 0; i < 20; i++) {
            FileWays now = state.inForce();
            state = state.next(server.sample(before, 1, MANY), true);
            before = now;
        }
        assertEquals(FileIo.MMAP, state.kept().huge());
    }

    @Test
    void givesATrialUpWhenThereIsNothingToDo() {
        Server server = server(SizeClass.HUGE, 1, 2, 1);
        WaysAdaptation state = run(server, 3);
        assertEquals(FileIo.MMAP, state.inForce().huge());
        for (int i = 0; i < 5; i++) {
            state = state.next(server.sample(state.inForce(), 0, MANY), true);
        }
        assertEquals(TRANSMITTED, state.inForce());
        assertEquals(TRANSMITTED, run(state, server, 50).inForce(), "not at once again");
        assertEquals(FileIo.MMAP, run(state, server, 150).kept().huge());
    }

    @Test
    void triesNothingWhileThereIsTooLittleToTell() {
        Server server = server(SizeClass.HUGE, 1, 2, 1);
        WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
        for (int i = 0; i < 100; i++) {
            state = state.next(server.sample(state.inForce(), 0.001, MANY), true);
        }
        assertEquals(0, state.trials());
    }

    @Test
    void leavesAloneWhatIsRareAmongOthers() {
        WaysAdaptation state = WaysAdaptation.begin(TRANSMITTED);
        Travel travel = new Travel(SECOND, SECOND, List.of(90_000_000L, 90_000_000L, 0L, 820_000_000L));
        for (int i = 0; i < 1000; i++) {
            assertEquals(TRANSMITTED.with(SizeClass.HUGE, state.inForce().huge()), state.inForce());
            state = state.next(new LoadSample(0, 0, MANY, 50, 0, 10, 0, travel), true);
        }
        assertTrue(state.trials() > 1);
    }
}
