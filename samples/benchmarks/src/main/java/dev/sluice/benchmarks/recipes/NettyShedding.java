package dev.sluice.benchmarks.recipes;

import static io.netty.buffer.Unpooled.EMPTY_BUFFER;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Answers each line with work done by other threads, and sheds what it cannot do in time: at most 1,000 requests wait,
 * and none is served that has waited for 100 ms.
 */
public final class NettyShedding extends SimpleChannelInboundHandler<String> {

    private static final long MAX_WAIT = TimeUnit.MILLISECONDS.toNanos(100);
    private final ExecutorService workers;
    private int unanswered;
    private boolean ended;

    private NettyShedding(ExecutorService workers) {
        this.workers = workers;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, String line) {
        long received = System.nanoTime();
        unanswered++;
        try {
            workers.execute(() -> reply(context, System.nanoTime() - received < MAX_WAIT ? "done" : "late", line));
        } catch (RejectedExecutionException e) {
            reply(context, "busy", line);
        }
    }

    private void reply(ChannelHandlerContext context, String text, String line) {
        context.writeAndFlush(text + " " + line + "\n").addListener(sent -> {
            unanswered--;
            closeIfOver(context);
        });
    }

    private void closeIfOver(ChannelHandlerContext context) {
        if (ended && unanswered == 0) {
            context.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            ended = true;
            closeIfOver(context);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    private static void finish(Channel channel) {
        channel.config().setAutoRead(true);                 // the input is rejected, up to its end
        channel.writeAndFlush(EMPTY_BUFFER).addListener(sent -> ((DuplexChannel) channel).shutdownOutput());
    }

    public static void main(String[] args) throws InterruptedException {
        ThreadPoolExecutor workers = new ThreadPoolExecutor(8, 8, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1_000));
        workers.allowCoreThreadTimeOut(true);
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(new DefaultThreadFactory("shedding", true),
                NioIoHandler.newFactory());
        Channel server = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        channel.pipeline().addLast(new LineBasedFrameDecoder(1024, true, true),
                                new StringDecoder(UTF_8), new StringEncoder(UTF_8), new NettyShedding(workers));
                    }
                }).bind(Integer.parseInt(args[0])).sync().channel();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close().syncUninterruptibly();
            workers.close();
            connections.forEach(NettyShedding::finish);
            connections.newCloseFuture().awaitUninterruptibly(5, TimeUnit.SECONDS);
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }));
        server.closeFuture().sync();
    }
}
