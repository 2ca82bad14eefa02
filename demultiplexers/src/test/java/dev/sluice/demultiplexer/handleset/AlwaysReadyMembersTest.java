package dev.sluice.demultiplexer.handleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The list of members that are always ready. */
@EnabledOnOs(OS.LINUX)
class AlwaysReadyMembersTest {

    private static final int MANY = 100;

    private static final class SomeMember extends KernelMember {

        SomeMember(KernelSetDemultiplexer demultiplexer, Handle handle) throws HandleClosedException {
            super(demultiplexer, handle, EventType.READ, null);
        }

        @Override
        protected void updateKernel() {
        }
    }

    private final List<SomeMember> members = new ArrayList<>();
    private Pipe pipe;
    private KernelSetDemultiplexer demultiplexer;
    private AlwaysReadyMembers list;

    @BeforeEach
    void open() throws IOException {
        demultiplexer = new EpollDemultiplexer("test", Trigger.LEVEL);
        pipe = Pipe.open();
        list = new AlwaysReadyMembers(demultiplexer);
        for (int i = 0; i < MANY; i++) {
            members.add(new SomeMember(demultiplexer, pipe.source()));
        }
    }

    @AfterEach
    void close() {
        members.forEach(SomeMember::releaseHandle);
        pipe.close();
        demultiplexer.close();
    }

    private void follow(int index, int events) {
        list.follow(members.get(index), events);
    }

    /** Reports until a batch is full, and asserts which members it has, in this order. */
    private void assertReports(int capacity, int... indexes) {
        try (ReadyBatch batch = demultiplexer.newReadyBatch(capacity)) {
            list.report(batch);
            assertEquals(indexes.length, batch.size());
            for (int i = 0; i < indexes.length; i++) {
                assertSame(members.get(indexes[i]), batch.membership(i));
            }
        }
    }

    /** If there were none, a file would not be added, and those that are in the list must not be lost. */
    @Test
    void membersAreAddedWithoutMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            follow(i, EventType.READ);
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
        try (ReadyBatch batch = demultiplexer.newReadyBatch(2 * MANY)) {
            list.report(batch);
            assertEquals(MANY, batch.size());
        }
    }

    @Test
    void leastRecentlyReportedMemberIsReportedFirst() {
        for (int i = 0; i < 5; i++) {
            follow(i, EventType.WRITE | EventType.READ);
        }
        assertReports(3, 0, 1, 2);
        assertReports(3, 3, 4, 0);
        assertReports(10, 1, 2, 3, 4, 0);
    }

    @Test
    void removedMembersAreNotReported() {
        for (int i = 0; i < 5; i++) {
            assertTrue(list.follow(members.get(i), EventType.READ));
            assertFalse(list.follow(members.get(i), EventType.READ));
        }
        follow(0, 0);
        follow(2, EventType.EXCEPTION);
        follow(4, 0);
        follow(4, 0);
        assertReports(10, 1, 3);
        follow(4, EventType.READ);
        assertReports(10, 1, 3, 4);
        for (int i = 0; i < 5; i++) {
            follow(i, 0);
        }
        assertReports(10);
        assertFalse(demultiplexer.hasAlwaysReady);
        follow(2, EventType.READ);
        assertReports(10, 2);
        assertTrue(demultiplexer.hasAlwaysReady);
    }
}
