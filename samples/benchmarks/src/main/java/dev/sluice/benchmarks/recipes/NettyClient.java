package dev.sluice.benchmarks.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Makes up to 1,024 calls at a time over one connection, each with a time-out, and connects again, after a growing
 * delay, when the connection is lost. A frame is its length, the number of its call, and text; the length counts all
 * but itself. Used by the loop thread alone.
 */
@Sharable
public final class NettyClient extends SimpleChannelInboundHandler<ByteBuf> {

    private static final int CALLS = 1024;
    private static final int MAX_FRAME = 64 * 1024;
    private static final long FIRST_DELAY = 100;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final Map<Integer, Call> calls = new HashMap<>();
    private long delay = FIRST_DELAY;
    private int number;
    private Channel channel;

    private record Call(BiConsumer<ByteBuf, IOException> reply, Future<?> timeout) {
    }

    NettyClient(EventLoop loop, SocketAddress server) {
        this.loop = loop;
        bootstrap = new Bootstrap().group(loop).channel(NioSocketChannel.class).remoteAddress(server)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 2_000)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection.pipeline().addLast(new LengthFieldBasedFrameDecoder(MAX_FRAME, 0, 4, 0, 4),
                                new LengthFieldPrepender(4), NettyClient.this);
                    }
                });
        connect();
    }

    private void connect() {
        channel = bootstrap.connect().channel();
        channel.closeFuture().addListener(closed -> {
            List.copyOf(calls.keySet()).forEach(call -> end(call, null, new IOException("lost")));
            if (!loop.isShuttingDown()) {
                loop.schedule(this::connect, delay, TimeUnit.MILLISECONDS);
            }
            delay = delay < 5_000 ? 2 * delay : delay;
        });
    }

    boolean call(ByteBuf text, BiConsumer<ByteBuf, IOException> reply) {
        if (!channel.isActive() || calls.size() == CALLS) {
            return false;                                   // no connection, or all calls in flight
        }
        int call = number++;
        Future<?> timeout = loop.schedule(() -> end(call, null, new SocketTimeoutException()), 1, TimeUnit.SECONDS);
        calls.put(call, new Call(reply, timeout));
        channel.writeAndFlush(channel.alloc().buffer().writeInt(call).writeBytes(text));
        return true;
    }

    private void end(int number, ByteBuf answer, IOException failure) {
        Call call = calls.remove(number);
        if (call != null) {
            call.timeout.cancel(false);
            call.reply.accept(answer, failure);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        delay = FIRST_DELAY;
        end(frame.readInt(), frame, null);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    public static void main(String[] args) throws InterruptedException {
        EventLoop loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()).next();
        loop.execute(() -> {
            NettyClient client = new NettyClient(loop, new InetSocketAddress(args[0], Integer.parseInt(args[1])));
            loop.scheduleAtFixedRate(() -> client.call(Unpooled.copiedBuffer("hello", UTF_8), (answer, failure) ->
                    System.out.println(failure == null ? answer.toString(UTF_8) : failure)), 0, 10,
                    TimeUnit.MILLISECONDS);
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() ->
                loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly()));
    }
}
