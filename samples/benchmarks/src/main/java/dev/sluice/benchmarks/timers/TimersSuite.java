package dev.sluice.benchmarks.timers;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Timers. */
public final class TimersSuite implements Suite {

    private static final String CANCELLED = "timer that is cancelled";
    private static final String EXPIRED = "timer that expires";
    private static final String EXECUTOR = "ScheduledThreadPoolExecutor";
    private static final Duration PREPARING_A_MILLION = Duration.ofMillis(500);
    private static final int ROUNDS = 5;
    private static final int MILLION = 1_000_000;

    /** Creates a suite. */
    public TimersSuite() {
    }

    @Override
    public String name() {
        return "timers";
    }

    @Override
    public String summary() {
        return "timers that are cancelled and timers that expire, among 10 to 1 000 000 others";
    }

    @Override
    public String method() {
        return """
                So many other timers are pending, for one to two days. *Cancelled*: a timer is made and scheduled among
                them, and cancelled at once, as an idle timeout is whose connection is busy. *Expires*: %d timers are
                scheduled, and all of them run; time and bytes are per timer.

                Sluice's queues are measured as the thread of an event loop uses them: without locks, since no other
                thread does. Their timers are due at random times of the next 9 ms; the loop asks how long to wait,
                its clock is put forward by 10 ms, and it fires what is due. The wheel is the standard one: a tick
                of 1 ms, and hierarchical wheels of 512 slots each.

                The executor is there for any thread: it takes a lock for each change, and the tasks that are due at
                once run on its own thread, while the benchmark's thread schedules more and then waits for the last. It
                removes what is cancelled (`setRemoveOnCancelPolicy`), which it does not do unless told to. A program
                with an event loop would pay for the way back into its loop as well.""".formatted(
                        QueuedTimers.EXPIRING);
    }

    @Override
    public List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (String what : List.of(CANCELLED, EXPIRED)) {
            sections.add(new Section(time(what), "ns", Better.LOWER, EXECUTOR,
                    what.equals(EXPIRED) ? Chart.LINES : Chart.NONE).over("timers"));
            sections.add(new Section(allocated(what), "B", Better.LOWER, null, Chart.NONE));
        }
        return sections;
    }

    private static String time(String what) {
        return "time per " + what;
    }

    private static String allocated(String what) {
        return "allocated per " + what;
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        List<Integer> numbers = scale.choose(List.of(10), List.of(10, 1_000, MILLION),
                List.of(10, 1_000, 100_000, MILLION));
        List<Trial> trials = new ArrayList<>();
        for (boolean expiring : List.of(false, true)) {
            for (int pending : numbers) {
                trials.add(trial(QueuedTimers.class, expiring, pending, "Sluice TimerHeap",
                        Map.of("queue", QueueKind.HEAP.name()), scale, host));
                trials.add(trial(QueuedTimers.class, expiring, pending, "Sluice TimingWheel",
                        Map.of("queue", QueueKind.WHEEL.name()), scale, host));
                trials.add(trial(ExecutorTimers.class, expiring, pending, EXECUTOR, Map.of(), scale, host));
            }
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), List.of());
    }

    private static Trial trial(Class<?> benchmark, boolean expiring, int pending, String contestant,
            Map<String, String> parameters, Scale scale, Host host) {
        String method = expiring ? "expire" : "scheduleAndCancel";
        String what = expiring ? EXPIRED : CANCELLED;
        Map<String, String> all = new HashMap<>(parameters);
        all.put("pending", Integer.toString(pending));
        return new JmhTrial(Integer.toString(pending), contestant, benchmark, method, all, time(what),
                allocated(what), scale, host)
                .preparing(PREPARING_A_MILLION.multipliedBy(pending).dividedBy(MILLION));
    }
}
