package dev.sluice.benchmarks.wakeup;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.concurrent.TimeUnit;

/** An event loop of Netty, with a thread of its own. */
final class NettyLoop implements RunningLoop {

    private static final int TIMEOUT_SECONDS = 10;

    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;

    NettyLoop(IoHandlerFactory factory) {
        group = new MultiThreadIoEventLoopGroup(1, factory);
        loop = group.next();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
