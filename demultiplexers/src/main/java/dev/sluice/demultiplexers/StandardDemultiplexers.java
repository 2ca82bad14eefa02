package dev.sluice.demultiplexers;

import static dev.sluice.calls.Platform.Os.FREEBSD;
import static dev.sluice.calls.Platform.Os.LINUX;
import static dev.sluice.calls.Platform.Os.MACOS;
import static dev.sluice.calls.Platform.Os.OPENBSD;
import static dev.sluice.calls.Platform.Os.WINDOWS;
import static dev.sluice.demultiplexer.DemultiplexerFactory.Mode.SYNCHRONOUS;
import static dev.sluice.demultiplexer.HandleSetKind.CONCURRENT;
import static dev.sluice.demultiplexer.HandleSetKind.ITERATIVE;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.DemultiplexerProvider;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.demultiplexers.emulated.EmulatedDemultiplexer;
import dev.sluice.demultiplexers.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexers.iocp.IocpDemultiplexer;
import dev.sluice.demultiplexers.iouring.IoUringDemultiplexer;
import dev.sluice.demultiplexers.iouring.IoUringPollDemultiplexer;
import dev.sluice.demultiplexers.operation.ProvidedBuffers;
import dev.sluice.demultiplexers.poll.PollDemultiplexer;
import dev.sluice.demultiplexers.select.SelectDemultiplexer;
import java.util.List;

/** Every demultiplexer that Sluice knows, for whatever system, and the ones that are announced but not there yet. */
public final class StandardDemultiplexers implements DemultiplexerProvider {

    private static final List<DemultiplexerFactory> FACTORIES = List.of(
            new SynchronousFactory("epoll", ITERATIVE, 100, List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll", Trigger.LEVEL)),
            new SynchronousFactory("epoll-one-shot", CONCURRENT, 95, List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT)),
            new SynchronousFactory("epoll-edge", ITERATIVE, 90, List.of(LINUX),
                    () -> new EpollDemultiplexer("epoll-edge", Trigger.EDGE)),
            new SynchronousFactory(IoUringPollDemultiplexer.NAME, ITERATIVE, 60, List.of(LINUX),
                    IoUringPollDemultiplexer::new),
            new SynchronousFactory(PollDemultiplexer.NAME, ITERATIVE, 50, List.of(LINUX), PollDemultiplexer::new),
            new SynchronousFactory(SelectDemultiplexer.NAME, ITERATIVE, 40, List.of(LINUX), SelectDemultiplexer::new),
            new AnnouncedFactory("kqueue", SYNCHRONOUS, ITERATIVE, List.of(MACOS, FREEBSD, OPENBSD)),
            new AnnouncedFactory("kqueue-dispatch", SYNCHRONOUS, CONCURRENT, List.of(MACOS, FREEBSD, OPENBSD)),
            new AnnouncedFactory("wsapoll", SYNCHRONOUS, ITERATIVE, List.of(WINDOWS)),
            new AnnouncedFactory("wfmo", SYNCHRONOUS, CONCURRENT, List.of(WINDOWS)),
            new AsynchronousFactory(IoUringDemultiplexer.NAME, ITERATIVE, 100, List.of(LINUX),
                    IoUringDemultiplexer::new),
            emulated("epoll", 50, () -> new EpollDemultiplexer("epoll", Trigger.LEVEL)),
            emulated(PollDemultiplexer.NAME, 30, PollDemultiplexer::new),
            emulated(SelectDemultiplexer.NAME, 20, SelectDemultiplexer::new),
            new AsynchronousFactory(IocpDemultiplexer.NAME, CONCURRENT, 100, List.of(WINDOWS),
                    IocpDemultiplexer::new));

    /** For {@link java.util.ServiceLoader}. */
    public StandardDemultiplexers() {
    }

    private static DemultiplexerFactory emulated(String name, int priority, SynchronousFactory.Opener readiness) {
        return new AsynchronousFactory(name, ITERATIVE, priority, List.of(LINUX),
                () -> new EmulatedDemultiplexer(readiness.open(), ProvidedBuffers.Size.DEFAULT));
    }

    @Override
    public List<DemultiplexerFactory> factories() {
        return FACTORIES;
    }
}
