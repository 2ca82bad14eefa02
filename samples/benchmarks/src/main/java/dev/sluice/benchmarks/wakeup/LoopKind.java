package dev.sluice.benchmarks.wakeup;

import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.uring.IoUringIoHandler;
import java.io.IOException;

/** The event loops. */
public enum LoopKind {

    /** Sluice's Reactor. */
    REACTOR,
    /** Sluice's Proactor. */
    PROACTOR,
    /** A loop on the Selector of java.nio. */
    SELECTOR,
    /** Netty on java.nio. */
    NETTY_NIO,
    /** Netty on epoll. */
    NETTY_EPOLL,
    /** Netty on io_uring. */
    NETTY_IO_URING;

    /**
     * Opens one that runs.
     *
     * @param demultiplexer of a Reactor or Proactor
     * @return takes tasks; the caller closes it
     * @throws IOException if the system refuses
     */
    RunningLoop open(String demultiplexer) throws IOException {
        return switch (this) {
            case REACTOR -> new SluiceLoop(Reactor.open(demultiplexer)).start();
            case PROACTOR -> new SluiceLoop(Proactor.open(demultiplexer)).start();
            case SELECTOR -> new SelectorLoop().start();
            case NETTY_NIO -> new NettyLoop(NioIoHandler.newFactory());
            case NETTY_EPOLL -> new NettyLoop(EpollIoHandler.newFactory());
            case NETTY_IO_URING -> new NettyLoop(IoUringIoHandler.newFactory());
        };
    }
}
