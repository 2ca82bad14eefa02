package dev.sluice.benchmarks.call;

import dev.sluice.benchmarks.jmh.JmhTrial;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One call of C. */
public final class CallSuite implements Suite {

    private static final String TIME = "time per call";
    private static final String ALLOCATED = "allocated per call";
    private static final String CHEAP = "abs";
    private static final String SYSTEM = "lseek";
    private static final String PLAIN = "FFM";

    /** Creates a suite. */
    public CallSuite() {
    }

    @Override
    public String name() {
        return "call";
    }

    @Override
    public String summary() {
        return "one call of C from Java: the Foreign Function and Memory API, JNA, and Sluice's bindings on both";
    }

    @Override
    public String method() {
        return """
                `abs` is a few instructions, `lseek` the cheapest call that enters the kernel with arguments and may
                fail. *errno* keeps the error number of the call, which every call of Sluice needs; *critical* tells the
                Java virtual machine that the call never blocks, which few may say; JNA is mapped directly.""";
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(TIME, "ns", Better.LOWER, PLAIN, Chart.BARS)
                        .drawing(PLAIN, "FFM, critical", "FFM, errno", "JNA", "Sluice, ffm", "Sluice, jna"),
                new Section(ALLOCATED, "B", Better.LOWER, null, Chart.NONE));
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return prepare(scale, host).planned();
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        List<Trial> trials = new ArrayList<>();
        trials.add(trial(CheapCall.class, "java", CHEAP, "Math.abs", Map.of(), scale, host));
        for (Class<?> benchmark : List.of(CheapCall.class, SystemCall.class)) {
            String scenario = benchmark == CheapCall.class ? CHEAP : SYSTEM;
            trials.add(trial(benchmark, "plain", scenario, PLAIN, Map.of(), scale, host));
            trials.add(trial(benchmark, "critical", scenario, "FFM, critical", Map.of(), scale, host));
            trials.add(trial(benchmark, "capturing", scenario, "FFM, errno", Map.of(), scale, host));
            trials.add(trial(benchmark, "jna", scenario, "JNA", Map.of(), scale, host));
        }
        for (String binding : bindings(scale)) {
            trials.add(trial(SystemCall.class, "sluice", SYSTEM, "Sluice, " + binding, Map.of("binding", binding),
                    scale, host));
        }
        return new Preparation(trials, scale.rounds(), List.of());
    }

    // A Java chooses its binding once, and the smallest scale runs everything in one.
    private static List<String> bindings(Scale scale) {
        return scale == Scale.SMALLEST ? List.of("ffm") : List.of("ffm", "jna");
    }

    private static Trial trial(Class<?> benchmark, String method, String scenario, String contestant,
            Map<String, String> parameters, Scale scale, Host host) {
        return new JmhTrial(scenario, contestant, benchmark, method, parameters, TIME, ALLOCATED, scale, host);
    }
}
