package dev.sluice.benchmarks.peers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.util.List;
import java.util.Optional;

/** Netty's transports, with one event loop that accepts and serves. */
enum NettyTransport {
    /** On {@code java.nio}. */
    NIO(NioServerSocketChannel.class) {
        @Override
        IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        Optional<Throwable> unavailability() {
            return Optional.empty();
        }
    },
    /** Its own, in C, on epoll. */
    EPOLL(EpollServerSocketChannel.class) {
        @Override
        IoHandlerFactory handlers() {
            return EpollIoHandler.newFactory();
        }

        @Override
        Optional<Throwable> unavailability() {
            return Optional.ofNullable(Epoll.unavailabilityCause());
        }
    },
    /** Its own, in C, on io_uring; connections receive into the buffers of a ring, where the kernel has that. */
    IO_URING(IoUringServerSocketChannel.class) {
        @Override
        IoHandlerFactory handlers() {
            IoUringIoHandlerConfig config = new IoUringIoHandlerConfig().setCqSize(COMPLETIONS);
            if (IoUring.isRegisterBufferRingSupported()) {
                config.setBufferRingConfig(IoUringBufferRingConfig.builder()
                        .bufferGroupId(BUFFER_GROUP)
                        .bufferRingSize(RING_BUFFERS)
                        .batchSize(RING_BATCH)
                        .allocator(new IoUringFixedBufferRingAllocator(RING_BUFFER_SIZE))
                        .build());
            }
            return IoUringIoHandler.newFactory(config);
        }

        @Override
        Optional<Throwable> unavailability() {
            return Optional.ofNullable(IoUring.unavailabilityCause());
        }

        @Override
        void configure(ServerBootstrap bootstrap) {
            if (IoUring.isRegisterBufferRingSupported()) {
                bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, BUFFER_GROUP);
            }
        }
    };

    private static final short BUFFER_GROUP = 1;
    private static final short RING_BUFFERS = 1024;
    private static final int RING_BATCH = 256;
    /**
     * The best size tried: with adaptive sizes and incremental buffers, small messages are 5 % faster, and those of 16
     * and 64 KiB 10 to 16 % slower.
     */
    private static final int RING_BUFFER_SIZE = 16 * 1024;
    private static final int COMPLETIONS = 16 * 1024;
    /** A peer that does not read is not read from; one that reads a little late does not meet this limit. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 4 << 20);

    private final Class<? extends ServerChannel> channel;

    NettyTransport(Class<? extends ServerChannel> channel) {
        this.channel = channel;
    }

    /**
     * {@return options for the virtual machine: without the search for leaks and the checks of each access to a buffer,
     * which those who measure Netty switch off}
     */
    static List<String> javaOptions() {
        return List.of("-Dio.netty.leakDetection.level=disabled", "-Dio.netty.buffer.checkBounds=false",
                "-Dio.netty.buffer.checkAccessible=false");
    }

    abstract IoHandlerFactory handlers();

    /** {@return the reason why it cannot be used here, if there is one} */
    abstract Optional<Throwable> unavailability();

    void configure(ServerBootstrap bootstrap) {
    }

    /**
     * Serves until the process ends.
     *
     * @param server      its name, to be announced
     * @param initializer of a connection
     * @throws InterruptedException if the thread is interrupted
     */
    void serve(String server, ChannelHandler initializer) throws InterruptedException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, handlers()))
                .channel(channel)
                .option(ChannelOption.SO_BACKLOG, Announcement.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childHandler(initializer);
        configure(bootstrap);
        Channel acceptor = bootstrap.bind("127.0.0.1", 0).sync().channel();
        Announcement.print(server, acceptor.localAddress());
        acceptor.closeFuture().sync();
    }
}
