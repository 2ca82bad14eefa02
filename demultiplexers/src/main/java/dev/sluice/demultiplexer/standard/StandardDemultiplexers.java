package dev.sluice.demultiplexer.standard;

import static dev.sluice.calls.Platform.Os.FREEBSD;
import static dev.sluice.calls.Platform.Os.LINUX;
import static dev.sluice.calls.Platform.Os.MACOS;
import static dev.sluice.calls.Platform.Os.OPENBSD;
import static dev.sluice.calls.Platform.Os.WINDOWS;
import static dev.sluice.demultiplexer.standard.StandardFactory.concurrent;
import static dev.sluice.demultiplexer.standard.StandardFactory.iterative;
import static dev.sluice.demultiplexer.standard.StandardFactory.multiThreaded;
import static dev.sluice.demultiplexer.standard.StandardFactory.singleThreaded;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.Mechanism.Availability;
import dev.sluice.demultiplexer.afd.AfdDemultiplexer;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.emulated.MultiThreadedEmulatedDemultiplexer;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.iocp.IocpDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringPollDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringSize;
import dev.sluice.demultiplexer.iouring.MultiThreadedIoUringDemultiplexer;
import dev.sluice.demultiplexer.kqueue.KqueueDemultiplexer;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.poll.WsapollDemultiplexer;
import dev.sluice.demultiplexer.select.SelectDemultiplexer;
import dev.sluice.demultiplexer.select.WinsockSelectDemultiplexer;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.DemultiplexerProvider;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.demultiplexer.wfmo.WfmoDemultiplexer;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** All demultiplexers of this module, for all systems. */
public final class StandardDemultiplexers implements DemultiplexerProvider {

    private static final List<Platform.Os> UNIX = List.of(LINUX, MACOS, FREEBSD, OPENBSD);
    private static final List<Platform.Os> EVERYWHERE = List.of(LINUX, MACOS, FREEBSD, OPENBSD, WINDOWS);
    private static final List<Platform.Os> WITH_KQUEUE =
            KqueueLibrary.file().isPresent() ? UNIX : List.of(MACOS, FREEBSD, OPENBSD);

    /**
     * The priority of one-shot sets for Leader/Followers. A level-triggered set must be updated twice for each event,
     * to stop reporting the handle and to report it again; a one-shot set once. On Linux one-shot sets serve 1.4 times
     * as many events if hooks take no time, slightly more if hooks take 20 µs, and a single handle equally fast.
     */
    private static final int BEST_FOR_LEADER_FOLLOWERS = 105;
    /**
     * The priority of multi-threaded emulations: lower than that of the single-threaded emulation over the same
     * mechanism, which is faster for the single thread that most programs use.
     */
    private static final int BELOW_SINGLE_THREADED = 45;

    /**
     * The priority of a ring that threads share, in which one thread at a time waits: lower than that of the
     * multi-threaded emulation.
     */
    private static final int BELOW_EMULATION = 44;

    private static final int BELOW_ALL_OTHERS = 100;

    private static final List<DemultiplexerFactory> FACTORIES = List.of(
            iterative("epoll", 100, List.of(LINUX), () -> new EpollDemultiplexer("epoll", Trigger.LEVEL)),
            concurrent("epoll-one-shot", 95, BEST_FOR_LEADER_FOLLOWERS, List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT)),
            iterative("epoll-edge", 90, List.of(LINUX), () -> new EpollDemultiplexer("epoll-edge", Trigger.EDGE)),
            iterative(IoUringPollDemultiplexer.NAME, 60, List.of(LINUX), IoUringPollDemultiplexer::new),
            iterative(PollDemultiplexer.NAME, 50, UNIX, PollDemultiplexer::new),
            iterative(SelectDemultiplexer.NAME, 40, EVERYWHERE, StandardDemultiplexers::select),
            onKqueue(iterative("kqueue", 100, WITH_KQUEUE, () -> new KqueueDemultiplexer("kqueue", Trigger.LEVEL))),
            onKqueue(concurrent("kqueue-dispatch", 95, BEST_FOR_LEADER_FOLLOWERS, WITH_KQUEUE,
                    () -> new KqueueDemultiplexer("kqueue-dispatch", Trigger.ONE_SHOT))),
            onKqueue(iterative("kqueue-clear", 90, WITH_KQUEUE,
                    () -> new KqueueDemultiplexer("kqueue-clear", Trigger.EDGE))),
            iterative("afd", 100, List.of(WINDOWS), () -> new AfdDemultiplexer("afd", Trigger.LEVEL)),
            concurrent("afd-one-shot", 95, BEST_FOR_LEADER_FOLLOWERS, List.of(WINDOWS),
                    () -> new AfdDemultiplexer("afd-one-shot", Trigger.ONE_SHOT)),
            iterative(WsapollDemultiplexer.NAME, 50, List.of(WINDOWS), WsapollDemultiplexer::new),
            concurrent(WfmoDemultiplexer.NAME, 45, 45, List.of(WINDOWS), WfmoDemultiplexer::new),
            singleThreaded(IoUringDemultiplexer.NAME, 100, List.of(LINUX),
                    size -> new IoUringDemultiplexer(IoUringSize.configured(size), false)),
            multiThreaded(MultiThreadedIoUringDemultiplexer.NAME, BELOW_EMULATION, List.of(LINUX),
                    size -> new MultiThreadedIoUringDemultiplexer(IoUringSize.configured(size), false)),
            emulated("epoll", 50, List.of(LINUX), () -> new EpollDemultiplexer("epoll", Trigger.LEVEL)),
            onKqueue(emulated("kqueue", 50, WITH_KQUEUE, () -> new KqueueDemultiplexer("kqueue", Trigger.LEVEL))),
            emulatedMultiThreaded("epoll-one-shot", List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT)),
            onKqueue(emulatedMultiThreaded("kqueue-dispatch", WITH_KQUEUE,
                    () -> new KqueueDemultiplexer("kqueue-dispatch", Trigger.ONE_SHOT))),
            emulated(PollDemultiplexer.NAME, 30, UNIX, PollDemultiplexer::new),
            emulated(SelectDemultiplexer.NAME, 20, UNIX, SelectDemultiplexer::new),
            multiThreaded(IocpDemultiplexer.NAME, 100, List.of(WINDOWS), IocpDemultiplexer::new));

    /** For {@link java.util.ServiceLoader}. */
    public StandardDemultiplexers() {
    }

    private static SynchronousEventDemultiplexer select() throws IOException {
        return Bindings.current().os() == WINDOWS ? new WinsockSelectDemultiplexer() : new SelectDemultiplexer();
    }

    /**
     * Adapts a demultiplexer that is the first choice where kqueue is native. On Linux, where a library may provide
     * kqueue, it gets the lowest priority.
     */
    private static DemultiplexerFactory onKqueue(StandardFactory nativeFactory) {
        int lower = KqueueLibrary.file().isPresent() ? BELOW_ALL_OTHERS : 0;
        return new StandardFactory(nativeFactory.mode(), nativeFactory.name(), nativeFactory.isConcurrent(),
                nativeFactory.priority() - lower, nativeFactory.leaderFollowersPriority() - lower,
                nativeFactory.systems(), nativeFactory.opener(), StandardDemultiplexers::withoutKqueue);
    }

    private static Availability withoutKqueue(Availability missing) {
        if (!KqueueLibrary.isPresent()) {
            return Availability.missing(missing.reason() + "; on Linux with -D" + KqueueLibrary.PROPERTY + "=FILE");
        }
        // If the library cannot be loaded, the calls of the binding fail as on a system without kqueue.
        return KqueueLibrary.file()
                .filter(file -> missing.reason().contains(Errno.ENOSYS.name()))
                .map(file -> Availability.missing("-D" + KqueueLibrary.PROPERTY + "=" + file
                        + " does not load, or has no kqueue"))
                .orElse(missing);
    }

    // A wrong number of threads is refused before anything is opened.

    private static StandardFactory emulated(String name, int priority, List<Platform.Os> systems,
            StandardFactory.Opener<? extends SynchronousEventDemultiplexer> readiness) {
        return singleThreaded(name, priority, systems, size -> {
            int fileThreads = FilePool.configuredThreads();
            return owning(readiness.open(), set -> new EmulatedDemultiplexer(set, size, fileThreads));
        });
    }

    private static StandardFactory emulatedMultiThreaded(String name, List<Platform.Os> systems,
            StandardFactory.Opener<? extends SynchronousEventDemultiplexer> readiness) {
        return multiThreaded(name, BELOW_SINGLE_THREADED, systems, size -> {
            int fileThreads = FilePool.configuredThreads();
            return owning(readiness.open(), set -> new MultiThreadedEmulatedDemultiplexer(set, size, fileThreads));
        });
    }

    /** {@return a demultiplexer that waits with the given set, which is closed if this throws} */
    static <D> D owning(SynchronousEventDemultiplexer set, Function<SynchronousEventDemultiplexer, D> over) {
        try {
            return over.apply(set);
        } catch (Throwable e) {
            set.close();
            throw e;
        }
    }

    @Override
    public List<DemultiplexerFactory> factories() {
        return FACTORIES;
    }
}
