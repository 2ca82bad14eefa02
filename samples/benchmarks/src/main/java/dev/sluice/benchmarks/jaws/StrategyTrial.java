package dev.sluice.benchmarks.jaws;

import dev.sluice.benchmarks.load.Load;
import dev.sluice.benchmarks.load.LoadGenerator;
import dev.sluice.benchmarks.load.LoadResult;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;

/** The server under one strategy, and some clients that ask for some files. */
final class StrategyTrial implements Trial {

    private static final double BITS_PER_BYTE = 8;
    private static final double MEGA = 1e6;
    private static final double MICROSECONDS = 1e6;
    /** On a machine that is busy with other things, no byte of any file may come for longer than is measured. */
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int TIMES_AS_LONG = 4;

    private final FileMix mix;
    private final int clients;
    private final String contestant;
    private final ServerProcess server;
    private final LoadGenerator generator;
    private final Times times;
    private boolean warm;

    /**
     * How long a trial takes.
     *
     * @param adapting under a load of its own before each measurement, so that those that adapt are measured as all
     *                 others are, from the beginning of a load on; zero for the others
     * @param first    the first warm-up
     * @param warmUp   any further one
     * @param measured after that
     * @param drained  until all files that were asked for have come
     */
    record Times(Duration adapting, Duration first, Duration warmUp, Duration measured, Duration drained) {

        Times(Duration first, Duration warmUp, Duration measured, Duration drained) {
            this(Duration.ZERO, first, warmUp, measured, drained);
        }

        /**
         * {@return the same with time to adapt}
         *
         * @param before each measurement
         */
        Times adapting(Duration before) {
            return new Times(before, first, warmUp, measured, drained);
        }

        /** {@return these times, the measured one multiplied by the factor} */
        Times measuring(int factor) {
            return new Times(adapting, first, warmUp, measured.multipliedBy(factor), drained);
        }

        /** {@return times without a longer first warm-up} */
        Times ofWarmServer() {
            return new Times(adapting, warmUp, warmUp, measured, drained);
        }
    }

    /** Puts clients that ask for files on the server. */
    @FunctionalInterface
    interface Loading {

        /** {@return what has come in the measured time, which follows the warm-up} */
        LoadResult load(Duration warmUp, Duration measured) throws IOException;
    }

    StrategyTrial(FileMix mix, int clients, String contestant, ServerProcess server, LoadGenerator generator,
            Times times) {
        this.mix = mix;
        this.clients = clients;
        this.contestant = contestant;
        this.server = server;
        this.generator = generator;
        this.times = times;
    }

    @Override
    public String scenario() {
        return clients == 1 ? "1 client" : clients + " clients";
    }

    @Override
    public String contestant() {
        return contestant;
    }

    @Override
    public Duration planned() {
        return planned(times.warmUp());
    }

    @Override
    public Duration plannedAtFirst() {
        return planned(times.first());
    }

    private Duration planned(Duration warmUp) {
        Duration adapting = times.adapting().isZero() ? Duration.ZERO : times.adapting().plus(times.drained());
        return adapting.plus(warmUp).plus(times.measured()).plus(times.drained());
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        if (!times.adapting().isZero()) {
            load(Duration.ZERO, times.adapting());
        }
        LoadResult result = untilSomethingComes(this::load, warm ? times.warmUp() : times.first(),
                times.measured(), mix.name());
        warm = true;
        recorder.record(mix.throughput(), mix.requests() ? result.rate()
                : result.bytes() * BITS_PER_BYTE / MEGA / result.seconds());
        // In a short time none of many large files may have come to its end, although all were on their way.
        if (result.messages() > 0) {
            recorder.record(mix.medianLatency(), result.p50());
            recorder.record(mix.highLatency(), result.p99());
            if (result.serverCpuSeconds() != null) {
                recorder.record("CPU time per request, " + mix.name(),
                        result.serverCpuSeconds() / result.messages() * MICROSECONDS);
            }
        }
        recorder.record("share of time that the load generator was busy, " + mix.name(), result.generatorBusy());
    }

    /** {@return what has come in the measured time, or in a longer one if nothing has come in that} */
    static LoadResult untilSomethingComes(Loading loading, Duration warmUp, Duration measured, String mix)
            throws IOException {
        LoadResult result = loading.load(warmUp, measured);
        Duration time = measured;
        while (result.bytes() == 0) {
            if (time.compareTo(LONGEST) >= 0) {
                throw new IOException(mix + ": nothing has come within " + time.toMillis() + " ms");
            }
            time = time.multipliedBy(TIMES_AS_LONG);
            result = loading.load(Duration.ZERO, time);
        }
        return result;
    }

    private LoadResult load(Duration warmUp, Duration measured) throws IOException {
        return generator.measure(Load.files(server.port(), clients, mix.sizes(), warmUp, measured, server.pid()));
    }
}
