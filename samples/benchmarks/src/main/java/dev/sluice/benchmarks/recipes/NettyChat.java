package dev.sluice.benchmarks.recipes;

import static io.netty.buffer.Unpooled.EMPTY_BUFFER;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelMatchers;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Sends each line to all clients, with the address of its author. A client that does not read is cut off, and so is one
 * that says nothing for ten minutes.
 */
public final class NettyChat extends SimpleChannelInboundHandler<ByteBuf> {

    private static final ChannelGroup CLIENTS = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    private byte[] author;

    @Override
    public void channelActive(ChannelHandlerContext context) {
        author = (context.channel().remoteAddress() + ": ").getBytes(UTF_8);
        CLIENTS.add(context.channel());
        if (CLIENTS.size() > 10_000) {
            context.close();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf line) {
        ByteBuf message = context.alloc().buffer().writeBytes(author).writeBytes(line).writeByte('\n');
        CLIENTS.writeAndFlush(message, ChannelMatchers.all(), true);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.close();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            context.writeAndFlush(EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    private static void finish(Channel channel) {
        channel.pipeline().removeLast();                    // from now on the input is discarded, up to its end
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        channel.writeAndFlush(EMPTY_BUFFER).addListener(sent -> ((DuplexChannel) channel).shutdownOutput());
    }

    public static void main(String[] args) throws InterruptedException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(new DefaultThreadFactory("chat", true),
                NioIoHandler.newFactory());
        Channel server = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(0, 512 * 1024))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new ReadTimeoutHandler(10, TimeUnit.MINUTES),
                                new LineBasedFrameDecoder(1024, true, true), new NettyChat());
                    }
                }).bind(Integer.parseInt(args[0])).sync().channel();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close().syncUninterruptibly();
            CLIENTS.forEach(NettyChat::finish);
            CLIENTS.newCloseFuture().awaitUninterruptibly(5, TimeUnit.SECONDS);
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }));
        server.closeFuture().sync();
    }
}
