package dev.sluice.benchmarks.recipes;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;

/** A hundred thousand timers on one loop, and one more that stops it. */
public final class NettyTimers {

    private static int fired;

    public static void main(String[] args) throws InterruptedException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        loop.execute(() -> {
            for (int i = 0; i < 100_000; i++) {
                loop.schedule(() -> fired++, i % 2_000, TimeUnit.MILLISECONDS);
            }
            loop.schedule(() -> loop.shutdownGracefully(0, 1, TimeUnit.SECONDS), 2, TimeUnit.SECONDS);
        });
        loop.terminationFuture().sync();
        System.out.println(fired + " timers have fired");
    }
}
