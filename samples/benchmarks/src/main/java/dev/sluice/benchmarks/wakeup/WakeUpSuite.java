package dev.sluice.benchmarks.wakeup;

import dev.sluice.benchmarks.jmh.JmhTrial;
import dev.sluice.benchmarks.peers.EchoServers;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Mechanisms;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tasks posted to event loops. */
public final class WakeUpSuite implements Suite {

    private static final String TIME = "from posting a task until it has been run";
    private static final String ALLOCATED_ALONE = "allocated per task that is waited for";
    private static final String RATE = "tasks posted and run per second";
    private static final String ALLOCATED = "allocated per task of many";
    private static final String SELECTOR = "java.nio Selector";
    private static final String NETTY_EPOLL = "Netty epoll";
    private static final String NETTY_IO_URING = "Netty io_uring";
    private static final int ROUNDS = 5;

    private record MeasuredPeer(String name, LoopKind kind, String demultiplexer) {
    }

    /** Creates a suite. */
    public WakeUpSuite() {
    }

    @Override
    public String name() {
        return "wake-up";
    }

    @Override
    public String summary() {
        return "posting tasks to an event loop from other threads, beside java.nio and Netty";
    }

    @Override
    public String method() {
        return """
                An event loop has nothing to do but the tasks that one or two other threads post to it. *Until it has
                been run*: a thread posts one task and parks; the task unparks it. So two threads are woken up in each
                of these times: the loop, in its own way, and the poster, in the same way for all. These threads are
                kept on one processor (on Linux), because waking up one that has fallen idle takes many times as long as
                the rest. *Per second*: the threads run where the system lets them, and each
                thread posts %d tasks, one at a time, and parks until the last of them has been run; the tasks of one
                thread have to be run in their order.

                With the Selector it is done as usual: the tasks lie in a `ConcurrentLinkedQueue`, and `wakeup` is
                called after each; the Selector itself leaves out those that are not needed. Netty's loops are used by
                `EventLoop.execute`. The tasks exist before, so what is allocated is what the loops need for
                them.""".formatted(Posting.BATCH);
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(TIME, "µs", Better.LOWER, SELECTOR, Chart.BARS)
                        .drawing(EchoServers.REACTOR, EchoServers.PROACTOR, SELECTOR, "Netty NIO", NETTY_EPOLL,
                                NETTY_IO_URING),
                new Section(RATE, "1/s", Better.HIGHER, SELECTOR, Chart.NONE),
                new Section(ALLOCATED_ALONE, "B", Better.LOWER, null, Chart.NONE),
                new Section(ALLOCATED, "B", Better.LOWER, null, Chart.NONE));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) {
        List<String> absences = new ArrayList<>(Mechanisms.missingForProactor());
        List<MeasuredPeer> contestants = contestants(absences);
        List<Trial> trials = new ArrayList<>();
        for (int threads : scale.choose(List.of(1), List.of(1), List.of(1, 2))) {
            String scenario = threads == 1 ? "1 thread" : threads + " threads";
            for (MeasuredPeer contestant : contestants) {
                trials.add(trial(contestant, scenario, "roundTrip", TIME, ALLOCATED_ALONE, scale, host).by(threads));
            }
            for (MeasuredPeer contestant : contestants) {
                trials.add(trial(contestant, scenario, "throughput", RATE, ALLOCATED, scale, host).by(threads));
            }
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), absences);
    }

    private static List<MeasuredPeer> contestants(List<String> absences) {
        List<MeasuredPeer> contestants = new ArrayList<>();
        String readiness = Mechanisms.ofReactor();
        contestants.add(new MeasuredPeer(Mechanisms.reactor(readiness), LoopKind.REACTOR, readiness));
        for (String completion : Mechanisms.ofProactor()) {
            contestants.add(new MeasuredPeer(Mechanisms.proactor(completion), LoopKind.PROACTOR, completion));
        }
        contestants.add(new MeasuredPeer(SELECTOR, LoopKind.SELECTOR, ""));
        contestants.add(new MeasuredPeer("Netty NIO", LoopKind.NETTY_NIO, ""));
        if (Epoll.isAvailable()) {
            contestants.add(new MeasuredPeer(NETTY_EPOLL, LoopKind.NETTY_EPOLL, ""));
        } else {
            absences.add(NETTY_EPOLL + ": " + Epoll.unavailabilityCause());
        }
        if (IoUring.isAvailable()) {
            contestants.add(new MeasuredPeer(NETTY_IO_URING, LoopKind.NETTY_IO_URING, ""));
        } else {
            absences.add(NETTY_IO_URING + ": " + IoUring.unavailabilityCause());
        }
        return contestants;
    }

    private static JmhTrial trial(MeasuredPeer contestant, String scenario, String method, String figure,
            String allocated, Scale scale, Host host) {
        return new JmhTrial(scenario, contestant.name(), Posting.class, method,
                Map.of("kind", contestant.kind().name(), "demultiplexer", contestant.demultiplexer()), figure,
                allocated, scale, host)
                .warmingUp(scale.choose(Duration.ZERO, Duration.ofMillis(500), scale.warmUp()));
    }
}
