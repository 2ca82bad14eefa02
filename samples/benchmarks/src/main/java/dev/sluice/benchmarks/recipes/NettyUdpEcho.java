package dev.sluice.benchmarks.recipes;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Sends each datagram back to its sender, up to 64 with one system call, and reports how many were dropped. */
public final class NettyUdpEcho extends SimpleChannelInboundHandler<DatagramPacket> {

    private static long unsent;

    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
        if (context.channel().isWritable()) {
            context.write(new DatagramPacket(packet.content().retain(), packet.sender()))
                    .addListener(sent -> unsent += sent.isSuccess() ? 0 : 1);
        } else {
            unsent++;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    private static void report(String port) {
        long dropped = 0;
        for (String version : new String[] {"udp", "udp6"}) {
            try {
                for (String line : Files.readAllLines(Path.of("/proc/net", version))) {
                    String[] columns = line.trim().split("\\s+");
                    dropped += columns[1].endsWith(port) ? Long.parseLong(columns[12]) : 0;
                }
            } catch (IOException e) {
                System.err.println(e);
            }
        }
        System.out.println("dropped: " + dropped + " in, " + unsent + " out");
    }

    public static void main(String[] args) throws InterruptedException {
        int port = Integer.parseInt(args[0]);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("echo", true),
                EpollIoHandler.newFactory());
        Channel socket = new Bootstrap().group(group).channel(EpollDatagramChannel.class)
                .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, 2048)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(64 * 2048))
                .handler(new NettyUdpEcho()).bind(port).sync().channel();
        socket.eventLoop().scheduleAtFixedRate(() -> report(":%04X".formatted(port)), 1, 10, TimeUnit.SECONDS);
        Runtime.getRuntime().addShutdownHook(new Thread(() ->
                group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly()));
        socket.closeFuture().sync();
    }
}
