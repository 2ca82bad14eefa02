package dev.sluice.benchmarks.recipes;

import static io.netty.buffer.Unpooled.EMPTY_BUFFER;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Connects each client with a server: what one side receives, the other sends, and what one side has not sent pauses
 * the input of the other.
 */
public final class NettyProxy extends ChannelInboundHandlerAdapter {

    private final SocketChannel other;

    private NettyProxy(Channel other) {
        this.other = (SocketChannel) other;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        other.writeAndFlush(bytes);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        other.config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            other.writeAndFlush(EMPTY_BUFFER).addListener(sent -> {
                if (other.isInputShutdown()) {
                    other.close();
                } else {
                    other.shutdownOutput();
                }
            });
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        other.writeAndFlush(EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private static void connect(Channel client, String host, int port) {
        new Bootstrap().group(client.eventLoop()).channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 5_000)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .handler(new NettyProxy(client))
                .connect(host, port).addListener((ChannelFutureListener) connected -> {
                    if (connected.isSuccess()) {
                        client.pipeline().addLast(new NettyProxy(connected.channel()));
                        client.config().setAutoRead(true);
                    } else {
                        client.close();
                    }
                });
    }

    public static void main(String[] args) throws InterruptedException {
        ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(new DefaultThreadFactory("proxy", true),
                NioIoHandler.newFactory());
        Channel server = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        clients.add(client);
                        connect(client, args[1], Integer.parseInt(args[2]));
                    }
                }).bind(Integer.parseInt(args[0])).sync().channel();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close().syncUninterruptibly();
            clients.newCloseFuture().awaitUninterruptibly(5, TimeUnit.SECONDS);
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }));
        server.closeFuture().sync();
    }
}
