package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/** A suite of what a test needs. */
public record MadeUpSuite(String name, List<Section> sections, BiFunction<Scale, Host, Preparation> preparing)
        implements Suite {

    /** What a trial does. */
    @FunctionalInterface
    public interface Measurement {
        void run(Recorder recorder) throws IOException, InterruptedException;
    }

    private record MadeUpTrial(String scenario, String contestant, Measurement measurement) implements Trial {

        @Override
        public Duration planned() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void measure(Recorder recorder) throws IOException, InterruptedException {
            measurement.run(recorder);
        }
    }

    public static Trial trial(String scenario, String contestant, Measurement measurement) {
        return new MadeUpTrial(scenario, contestant, measurement);
    }

    @Override
    public String summary() {
        return "what " + name + " is";
    }

    @Override
    public String method() {
        return "How " + name + " is measured.";
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return Duration.ofMinutes(1);
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        return preparing.apply(scale, host);
    }
}
