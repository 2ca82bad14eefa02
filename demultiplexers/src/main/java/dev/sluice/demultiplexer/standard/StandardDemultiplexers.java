package dev.sluice.demultiplexer.standard;

import static dev.sluice.calls.Platform.Os.FREEBSD;
import static dev.sluice.calls.Platform.Os.LINUX;
import static dev.sluice.calls.Platform.Os.MACOS;
import static dev.sluice.calls.Platform.Os.OPENBSD;
import static dev.sluice.calls.Platform.Os.WINDOWS;
import static dev.sluice.demultiplexer.spi.HandleSetKind.CONCURRENT;
import static dev.sluice.demultiplexer.spi.HandleSetKind.ITERATIVE;
import static dev.sluice.demultiplexer.standard.StandardFactory.asynchronous;
import static dev.sluice.demultiplexer.standard.StandardFactory.synchronous;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.Mechanism.Availability;
import dev.sluice.demultiplexer.afd.AfdDemultiplexer;
import dev.sluice.demultiplexer.emulated.ConcurrentEmulatedDemultiplexer;
import dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.iocp.IocpDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringPollDemultiplexer;
import dev.sluice.demultiplexer.iouring.IoUringSize;
import dev.sluice.demultiplexer.kqueue.KqueueDemultiplexer;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.poll.WsapollDemultiplexer;
import dev.sluice.demultiplexer.select.SelectDemultiplexer;
import dev.sluice.demultiplexer.select.WinsockSelectDemultiplexer;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.DemultiplexerProvider;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.demultiplexer.wfmo.WfmoDemultiplexer;
import java.io.IOException;
import java.util.List;

/** Every demultiplexer that Sluice knows, for all systems. */
public final class StandardDemultiplexers implements DemultiplexerProvider {

    private static final List<Platform.Os> UNIX = List.of(LINUX, MACOS, FREEBSD, OPENBSD);
    private static final List<Platform.Os> EVERYWHERE = List.of(LINUX, MACOS, FREEBSD, OPENBSD, WINDOWS);
    private static final List<Platform.Os> WITH_KQUEUE =
            KqueueLibrary.file().isPresent() ? UNIX : List.of(MACOS, FREEBSD, OPENBSD);

    /**
     * For one-shot sets. Where threads take turns waiting, a level-triggered set must be updated twice for each event,
     * to stop reporting the handle and to report it again; a one-shot set once. On Linux one-shot sets serve 1.4 times
     * as many events if hooks take no time, slightly more if hooks take 20 µs, and a single handle equally fast.
     */
    private static final int BEST_FOR_LEADER_FOLLOWERS = 105;
    /**
     * For an emulation for many threads: ranked after the iterative one over the same mechanism, which is faster for
     * the single thread that most programs have.
     */
    private static final int BELOW_ITERATIVE = 45;

    private static final int BELOW_ALL_OTHERS = 100;

    private static final List<DemultiplexerFactory> FACTORIES = List.of(
            synchronous("epoll", ITERATIVE, 100, List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll", Trigger.LEVEL)),
            synchronous("epoll-one-shot", CONCURRENT, 95, BEST_FOR_LEADER_FOLLOWERS, List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT)),
            synchronous("epoll-edge", ITERATIVE, 90, List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll-edge", Trigger.EDGE)),
            synchronous(IoUringPollDemultiplexer.NAME, ITERATIVE, 60, List.of(LINUX),
                    IoUringPollDemultiplexer::new),
            synchronous(PollDemultiplexer.NAME, ITERATIVE, 50, UNIX, PollDemultiplexer::new),
            synchronous(SelectDemultiplexer.NAME, ITERATIVE, 40, EVERYWHERE,
                    StandardDemultiplexers::select),
            kqueue("kqueue", ITERATIVE, 100, Trigger.LEVEL),
            kqueue("kqueue-dispatch", CONCURRENT, 95, Trigger.ONE_SHOT),
            kqueue("kqueue-clear", ITERATIVE, 90, Trigger.EDGE),
            synchronous("afd", ITERATIVE, 100, List.of(WINDOWS),
                    () -> new AfdDemultiplexer("afd", Trigger.LEVEL)),
            synchronous("afd-one-shot", CONCURRENT, 95, BEST_FOR_LEADER_FOLLOWERS, List.of(WINDOWS),
                    () -> new AfdDemultiplexer("afd-one-shot", Trigger.ONE_SHOT)),
            synchronous(WsapollDemultiplexer.NAME, ITERATIVE, 50, List.of(WINDOWS),
                    WsapollDemultiplexer::new),
            synchronous(WfmoDemultiplexer.NAME, CONCURRENT, 45, List.of(WINDOWS), WfmoDemultiplexer::new),
            asynchronous(IoUringDemultiplexer.NAME, ITERATIVE, 100, List.of(LINUX),
                    size -> new IoUringDemultiplexer(IoUringSize.configured(size), false)),
            emulated("epoll", ITERATIVE, 50, List.of(LINUX), () -> new EpollDemultiplexer("epoll", Trigger.LEVEL)),
            onKqueue(emulated("kqueue", ITERATIVE, 50, WITH_KQUEUE,
                    () -> new KqueueDemultiplexer("kqueue", Trigger.LEVEL))),
            emulated("epoll-one-shot", CONCURRENT, BELOW_ITERATIVE, List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT)),
            onKqueue(emulated("kqueue-dispatch", CONCURRENT, BELOW_ITERATIVE, WITH_KQUEUE,
                    () -> new KqueueDemultiplexer("kqueue-dispatch", Trigger.ONE_SHOT))),
            emulated(PollDemultiplexer.NAME, ITERATIVE, 30, UNIX, PollDemultiplexer::new),
            emulated(SelectDemultiplexer.NAME, ITERATIVE, 20, UNIX, SelectDemultiplexer::new),
            asynchronous(IocpDemultiplexer.NAME, CONCURRENT, 100, List.of(WINDOWS),
                    IocpDemultiplexer::new));

    /** For {@link java.util.ServiceLoader}. */
    public StandardDemultiplexers() {
    }

    private static SynchronousEventDemultiplexer select() throws IOException {
        return Bindings.current().os() == WINDOWS ? new WinsockSelectDemultiplexer() : new SelectDemultiplexer();
    }

    private static DemultiplexerFactory kqueue(String name, HandleSetKind kind, int priority, Trigger trigger) {
        int leaderFollowersPriority = trigger == Trigger.ONE_SHOT ? BEST_FOR_LEADER_FOLLOWERS : priority;
        return onKqueue(synchronous(name, kind, priority, leaderFollowersPriority, WITH_KQUEUE,
                () -> new KqueueDemultiplexer(name, trigger)));
    }

    /**
     * The first choice where kqueue is native; on Linux available if a library provides it, but then never preferred to
     * anything else.
     */
    private static DemultiplexerFactory onKqueue(StandardFactory atHome) {
        int lower = KqueueLibrary.file().isPresent() ? BELOW_ALL_OTHERS : 0;
        return new StandardFactory(atHome.mode(), atHome.name(), atHome.handleSetKind(), atHome.priority() - lower,
                atHome.leaderFollowersPriority() - lower, atHome.systems(), atHome.opener(),
                StandardDemultiplexers::withoutKqueue);
    }

    private static Availability withoutKqueue(Availability missing) {
        if (!KqueueLibrary.isThere()) {
            return Availability.missing(missing.reason() + "; on Linux with -D" + KqueueLibrary.PROPERTY + "=FILE");
        }
        // If a library does not load, the bindings answer its calls like a system that lacks them.
        return KqueueLibrary.file()
                .filter(file -> missing.reason().contains(Errno.ENOSYS.name()))
                .map(file -> Availability.missing("-D" + KqueueLibrary.PROPERTY + "=" + file
                        + " does not load, or has no kqueue"))
                .orElse(missing);
    }

    private static StandardFactory emulated(String name, HandleSetKind kind, int priority, List<Platform.Os> systems,
            StandardFactory.Opener<? extends SynchronousEventDemultiplexer> readiness) {
        return asynchronous(name, kind, priority, systems,
                size -> {
                    // A wrong setting is found before there is anything to close.
                    int fileThreads = FilePool.configuredThreads();
                    return kind == CONCURRENT
                            ? new ConcurrentEmulatedDemultiplexer(readiness.open(), size, fileThreads)
                            : new EmulatedDemultiplexer(readiness.open(), size, fileThreads);
                });
    }

    @Override
    public List<DemultiplexerFactory> factories() {
        return FACTORIES;
    }
}
