package dev.sluice.benchmarks.waiting;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.sluice.benchmarks.jmh.JmhTrial;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.FdSet;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Waiting for handles that are ready. */
public final class WaitSuite implements Suite {

    private static final String SELECTOR = "java.nio Selector";
    private static final String SELECTOR_WITH_ACTION = "java.nio Selector, select(action)";
    private static final String SELECT = "select";
    private static final List<Integer> PERCENTAGES = List.of(1, 10, 100);
    /** What a Java virtual machine with this class path has open by itself, and some more. */
    private static final int OWN_DESCRIPTORS = 200;
    private static final Duration PREPARING_A_THOUSAND = Duration.ofMillis(200);
    private static final int ROUNDS = 5;

    /** Creates a suite. */
    public WaitSuite() {
    }

    @Override
    public String name() {
        return "wait";
    }

    @Override
    public String summary() {
        return "waiting for ready handles: each synchronous demultiplexer beside java.nio's Selector";
    }

    @Override
    public String method() {
        return """
                So many TCP connections over loopback are registered for reading, and in the given part of them, spread
                evenly, and in one at least, lies a byte that is never received. They stay ready, and each wait returns
                at once. One thread waits without a time limit, as an event loop does, and visits what it gets: it looks
                at the event, follows the attachment, and checks that this connection has a byte. Time and bytes
                allocated are per ready handle.

                All take up to 1024 ready handles from one wait, which is what a Selector takes on Linux. The Selector
                is used in both ways that its documentation gives: iterating over the selected keys with a removal of
                each, and `select(action)`.

                On a set that is triggered by an *edge*, or only *once*, a handle that stays ready is not reported again
                by itself: here each visit ends with `rearm`, as in a Reactor. On epoll that is a system call for each
                event, which a program saves on an edge-triggered set where it receives until nothing is left.
                `select` takes descriptors below 1024 only, so it has no larger points.""";
    }

    @Override
    public List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        PERCENTAGES.forEach(percent -> sections.add(
                new Section(time(percent), "ns", Better.LOWER, SELECTOR, sections.isEmpty() ? Chart.LINES : Chart.NONE)
                        .over("connections").drawing("Sluice epoll", "Sluice epoll-edge", "Sluice io_uring-poll",
                                "Sluice poll", SELECTOR, SELECTOR_WITH_ACTION)));
        PERCENTAGES.forEach(percent -> sections.add(
                new Section(allocated(percent), "B", Better.LOWER, null, Chart.NONE)));
        return sections;
    }

    private static String time(int percent) {
        return "time per ready handle, " + percent + " % ready";
    }

    private static String allocated(int percent) {
        return "allocated per ready handle, " + percent + " % ready";
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        List<Integer> numbers = scale.choose(List.of(10), List.of(100, 5_000), List.of(10, 100, 1_000, 5_000));
        List<Trial> trials = new ArrayList<>();
        Set<String> absences = new LinkedHashSet<>();
        List<String> names = demultiplexers();
        for (int percent : PERCENTAGES) {
            for (int registered : numbers) {
                if (2L * registered + OWN_DESCRIPTORS > maxDescriptors()) {
                    absences.add(registered + " connections need more than the " + maxDescriptors()
                            + " descriptors that a process may have here: raise the limit (ulimit -n)");
                    continue;
                }
                for (String name : names) {
                    if (isTooMuchFor(name, registered)) {
                        absences.add("Sluice " + name + ", " + registered + " registered: select takes descriptors "
                                + "below " + FdSet.FD_SETSIZE + " only, and each connection has two in this process");
                        continue;
                    }
                    trials.add(trial(HandleSetWait.class, "await", registered, percent, "Sluice " + name,
                            Map.of("demultiplexer", name), scale, host));
                }
                trials.add(trial(SelectorWait.class, "selectedKeys", registered, percent, SELECTOR, Map.of(), scale,
                        host));
                trials.add(trial(SelectorWait.class, "action", registered, percent, SELECTOR_WITH_ACTION, Map.of(),
                        scale, host));
            }
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), List.copyOf(absences));
    }

    private static List<String> demultiplexers() {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == Mode.SYNCHRONOUS && factory.availability().usable())
                .map(Mechanism::name)
                .toList();
    }

    // On Windows its sets are arrays, of any length.
    private static boolean isTooMuchFor(String name, int registered) {
        return name.equals(SELECT) && Platform.CURRENT.os() != Platform.Os.WINDOWS
                && 2 * registered + OWN_DESCRIPTORS > FdSet.FD_SETSIZE;
    }

    private static long maxDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    private static Trial trial(Class<?> benchmark, String method, int registered, int percent, String contestant,
            Map<String, String> parameters, Scale scale, Host host) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put("registered", Integer.toString(registered));
        all.put("percent", Integer.toString(percent));
        return new JmhTrial(Integer.toString(registered), contestant, benchmark, method, all, time(percent),
                allocated(percent), scale, host)
                .per(ReadyEvents.COUNTER)
                .preparing(PREPARING_A_THOUSAND.multipliedBy(registered).dividedBy(1_000));
    }
}
