package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.KqueueLibrary;
import dev.sluice.demultiplexer.AsynchronousMechanism;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.kqueue.KqueueDemultiplexer;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.poll.PollDemultiplexer;
import dev.sluice.demultiplexer.select.SelectDemultiplexer;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;

/** The handle sets that an emulation waits by. */
enum EmulatedSet implements AsynchronousMechanism {
    EPOLL("epoll") {
        @Override
        SynchronousEventDemultiplexer openSet() throws IOException {
            return new EpollDemultiplexer(set, Trigger.LEVEL);
        }
    },
    EPOLL_ONE_SHOT("epoll-one-shot") {
        @Override
        SynchronousEventDemultiplexer openSet() throws IOException {
            return new EpollDemultiplexer(set, Trigger.ONE_SHOT);
        }
    },
    POLL("poll") {
        @Override
        SynchronousEventDemultiplexer openSet() throws IOException {
            return new PollDemultiplexer();
        }
    },
    SELECT("select") {
        @Override
        SynchronousEventDemultiplexer openSet() throws IOException {
            return new SelectDemultiplexer();
        }
    },
    KQUEUE("kqueue") {
        @Override
        SynchronousEventDemultiplexer openSet() throws IOException {
            return new KqueueDemultiplexer(set, Trigger.LEVEL);
        }
    },
    KQUEUE_DISPATCH("kqueue-dispatch") {
        @Override
        SynchronousEventDemultiplexer openSet() throws IOException {
            return new KqueueDemultiplexer(set, Trigger.ONE_SHOT);
        }
    };

    private static final ProvidedBuffers.Size FEW_BUFFERS = new ProvidedBuffers.Size(4096, 4, 4);

    final String set;

    EmulatedSet(String set) {
        this.set = set;
    }

    /** {@return those that this machine has} */
    static Stream<EmulatedSet> here() {
        return Arrays.stream(values()).filter(it -> !it.set.startsWith("kqueue") || KqueueLibrary.isPresent());
    }

    abstract SynchronousEventDemultiplexer openSet() throws IOException;

    @Override
    public AsynchronousEventDemultiplexer open() throws IOException {
        return OpenedDemultiplexers.openAsynchronous(set);
    }

    @Override
    public AsynchronousEventDemultiplexer openSmall() throws IOException {
        SynchronousEventDemultiplexer opened = openSet();
        try {
            return opened.handleSetKind() == HandleSetKind.CONCURRENT
                    ? new MultiThreadedEmulatedDemultiplexer(opened, FEW_BUFFERS, FilePool.DEFAULT_MAX)
                    : new EmulatedDemultiplexer(opened, FEW_BUFFERS, FilePool.DEFAULT_MAX);
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }
}
