package dev.sluice.mechanism.wfmo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.Registration;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.WindowsEvent;
import dev.sluice.handle.WindowsEvent.Reset;
import dev.sluice.handle.WindowsProcess;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events and processes as members. */
@Tag("windows")
@Tag(Depth.CORE)
class WfmoObjectTest extends LeakChecked {

    private static final int LIMIT = 63;
    private static final long PATIENCE = Duration.ofSeconds(60).toNanos();
    private static final long A_MOMENT = Duration.ofMillis(20).toNanos();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private WfmoDemultiplexer demultiplexer;
    private ReadyHandles ready;

    @BeforeEach
    void open() throws IOException {
        demultiplexer = new WfmoDemultiplexer();
        own(demultiplexer);
        ready = own(demultiplexer.newReadyHandles(LIMIT));
    }

    @AfterEach
    void endThreads() throws InterruptedException {
        demultiplexer.close();
        threads.shutdown();
        assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS), "threads that do not end");
    }

    private WindowsEvent event(Reset reset) throws IOException {
        return own(WindowsEvent.open(reset));
    }

    private Registration register(Handle handle) throws IOException {
        return demultiplexer.register(handle, EventType.READ, null);
    }

    private void assertReported(Registration registration) throws IOException {
        assertEquals(1, demultiplexer.awaitReady(ready, PATIENCE));
        assertSame(registration, ready.registration(0));
        assertEquals(EventType.READ, ready.events(0));
    }

    private void assertQuiet() throws IOException {
        assertEquals(0, demultiplexer.awaitReady(ready, A_MOMENT));
    }

    @Test
    void oneThatIsResetAutomaticallyIsReportedOnceEachTimeItIsSet() throws Exception {
        WindowsEvent event = event(Reset.AUTOMATIC);
        Registration registration = register(event.handle());
        assertQuiet();
        for (int i = 0; i < 3; i++) {
            event.set();
            assertReported(registration);
            assertFalse(event.take(), "the report has reset it");
            assertQuiet();
            registration.rearm();
            assertQuiet();
        }
    }

    @Test
    void oneThatIsResetByHandIsReportedUntilItIs() throws Exception {
        WindowsEvent event = event(Reset.MANUAL);
        Registration registration = register(event.handle());
        event.set();
        for (int i = 0; i < 3; i++) {
            assertReported(registration);
            assertQuiet();
            registration.rearm();
        }
        event.reset();
        assertQuiet();
        event.set();
        assertReported(registration);
    }

    @ParameterizedTest
    @EnumSource
    void oneThatIsSetAlreadyIsReported(Reset reset) throws Exception {
        WindowsEvent event = event(reset);
        event.set();
        assertReported(register(event.handle()));
    }

    @ParameterizedTest
    @EnumSource
    void setEndsAWait(Reset reset) throws Exception {
        WindowsEvent event = event(reset);
        register(event.handle());
        Future<Integer> wait = threads.submit(() -> demultiplexer.awaitReady(ready, PATIENCE));
        event.set();
        assertEquals(1, wait.get());
    }

    @Test
    void whatIsSetWhileNobodyMayBeToldIsReportedLater() throws Exception {
        WindowsEvent event = event(Reset.AUTOMATIC);
        Registration registration = register(event.handle());
        registration.deactivate();
        event.set();
        assertQuiet();
        registration.activate();
        assertReported(registration);
        // It is quiet until it is rearmed.
        event.set();
        assertQuiet();
        registration.rearm();
        assertReported(registration);
    }

    @ParameterizedTest
    @EnumSource
    void neitherIsEverReadyForWriting(Reset reset) throws Exception {
        WindowsEvent event = event(reset);
        Registration registration = demultiplexer.register(event.handle(), EventType.WRITE, null);
        event.set();
        assertQuiet();
        registration.setEvents(EventType.READ | EventType.WRITE);
        assertReported(registration);
    }

    @Test
    void aSignalThatNobodyWasToldOfIsGivenBackWhenTheRegistrationEnds() throws Exception {
        try (FaultInjection faults = FaultInjection.install();
                WfmoDemultiplexer other = new WfmoDemultiplexer();
                ReadyHandles batch = other.newReadyHandles(1)) {
            WindowsEvent event = own(WindowsEvent.open(Reset.AUTOMATIC));
            Registration registration = other.register(event.handle(), EventType.READ, null);
            registration.deactivate();
            Future<Integer> wait = threads.submit(() -> other.awaitReady(batch, PATIENCE));
            event.set();
            // The event of the place has ended one wait, which found nothing to report, and others follow.
            long end = System.nanoTime() + PATIENCE;
            while (faults.calls("WaitForMultipleObjects") < 3 && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            assertFalse(event.take(), "the registration keeps it");
            registration.remove();
            assertTrue(event.take(), "the signal is lost");
            other.wakeUp();
            assertEquals(0, wait.get());
        }
    }

    /** The place is another's afterwards, and so is what would be set too late. */
    @Test
    void oneThatIsSetWhileItsRegistrationEndsDisturbsNoOther() throws Exception {
        for (int i = 0; i < 50; i++) {
            WindowsEvent event = event(Reset.AUTOMATIC);
            Registration registration = register(event.handle());
            Future<?> setting = threads.submit(() -> {
                event.set();
                return null;
            });
            registration.remove();
            setting.get();
            assertQuiet();
        }
    }

    @Test
    void toSuspendAndResumeLosesNothing() throws Exception {
        WindowsEvent event = event(Reset.AUTOMATIC);
        Registration registration = register(event.handle());
        for (int i = 0; i < 300; i++) {
            event.set();
            registration.deactivate();
            registration.setEvents(EventType.WRITE);
            registration.activate();
            registration.setEvents(EventType.READ);
            assertReported(registration);
            registration.rearm();
        }
        assertQuiet();
    }

    /** What the event of the place says was meant for the one before. */
    @Test
    void aPlaceThatIsUsedAgainReportsNothingOfItsEarlierMember() throws Exception {
        for (int i = 0; i < 50; i++) {
            WindowsEvent before = WindowsEvent.open(Reset.AUTOMATIC);
            Registration registration = register(before.handle());
            before.set();
            registration.remove();
            WindowsEvent after = WindowsEvent.open(Reset.AUTOMATIC);
            registration = register(after.handle());
            assertEquals(0, demultiplexer.awaitReady(ready, 0));
            after.set();
            assertReported(registration);
            before.close();
            after.close();
        }
    }

    @Test
    void exactlyOneOfManyWaitersIsTold() throws Exception {
        WindowsEvent event = event(Reset.AUTOMATIC);
        register(event.handle());
        BlockingQueue<Registration> told = new LinkedBlockingQueue<>();
        List<Future<?>> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waits.add(threads.submit(() -> {
                try (ReadyHandles batch = demultiplexer.newReadyHandles(1)) {
                    while (demultiplexer.awaitReady(batch, PATIENCE) > 0) {
                        told.add(batch.registration(0));
                    }
                    return null;
                }
            }));
        }
        for (int i = 0; i < 50; i++) {
            event.set();
            Registration registration = told.poll(PATIENCE, TimeUnit.NANOSECONDS);
            assertTrue(told.isEmpty(), "two were told");
            registration.rearm();
        }
        demultiplexer.close();
        for (Future<?> wait : waits) {
            Throwable e = assertThrows(ExecutionException.class, wait::get).getCause();
            assertEquals(HandleClosedException.class, e.getClass());
        }
        assertTrue(told.isEmpty(), "somebody was told of nothing");
    }

    @Test
    void besideSockets() throws Exception {
        SocketDatagram socket =
                own(SocketDatagram.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        Registration ofSocket = register(socket.handle());
        List<WindowsEvent> events = new ArrayList<>();
        List<Registration> registrations = new ArrayList<>();
        for (int i = 1; i < LIMIT; i++) {
            events.add(event(i % 2 == 0 ? Reset.AUTOMATIC : Reset.MANUAL));
            registrations.add(register(events.get(i - 1).handle()));
        }
        WindowsEvent oneMore = event(Reset.AUTOMATIC);
        String message = assertThrows(IOException.class, () -> register(oneMore.handle())).getMessage();
        assertTrue(message.contains("MAXIMUM_WAIT_OBJECTS"), message);
        for (int i = 0; i < events.size(); i++) {
            events.get(i).set();
            assertReported(registrations.get(i));
        }
        socket.send(ByteBuffer.allocate(1), socket.localAddress());
        assertReported(ofSocket);
        registrations.get(7).remove();
        Registration another = register(oneMore.handle());
        oneMore.set();
        assertReported(another);
    }

    @ParameterizedTest
    @EnumSource
    void closeWhileItIsRegistered(Reset reset) throws Exception {
        WindowsEvent event = event(reset);
        Registration registration = register(event.handle());
        event.set();
        event.close();
        assertFalse(registration.isValid());
        assertQuiet();
    }

    @Test
    void everyWaitEndsAndEveryHandleIsClosed() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            try (WfmoDemultiplexer other = new WfmoDemultiplexer(); ReadyHandles batch = other.newReadyHandles(4)) {
                for (Reset reset : Reset.values()) {
                    WindowsEvent told = event(reset);
                    other.register(told.handle(), EventType.READ, null);
                    told.set();
                    assertEquals(1, other.awaitReady(batch, PATIENCE));
                    batch.registration(0).rearm();
                    other.register(event(reset).handle(), EventType.READ, null);
                    WindowsEvent closed = event(reset);
                    other.register(closed.handle(), EventType.READ, null);
                    closed.close();
                    told.reset();
                }
            }
            // The six events of the test are this side's, of which four are still open.
            assertEquals(faults.calls("CreateEventW") - 4, faults.calls("CloseHandle"));
            assertEquals(faults.calls("RegisterWaitForSingleObject"), faults.calls("UnregisterWaitEx"));
        }
    }

    @Test
    void refusals() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            WindowsEvent event = own(WindowsEvent.open(Reset.AUTOMATIC));
            try (WfmoDemultiplexer other = new WfmoDemultiplexer(); ReadyHandles batch = other.newReadyHandles(4)) {
                int created = faults.calls("CreateEventW");
                for (String function : List.of("GetModuleHandleW", "GetProcAddress", "RegisterWaitForSingleObject")) {
                    assertRefused(faults, function, 1, other, event);
                }
                for (int nth = 1; nth <= 3; nth++) {
                    assertRefused(faults, "CreateEventW", nth, other, event);
                }
                assertEquals(5 + 6, faults.calls("CreateEventW") - created);
                faults.failNth("RegisterWaitForSingleObject", 2, Errno.ENOMEM);
                assertThrows(IOException.class, () -> other.register(event.handle(), EventType.READ, null));
                event.set();
                other.register(event.handle(), EventType.READ, null);
                assertEquals(1, other.awaitReady(batch, PATIENCE));
            }
            assertEquals(faults.calls("CreateEventW") - 4, faults.calls("CloseHandle"), "three failed, one is open");
        }
    }

    private static void assertRefused(FaultInjection faults, String function, int nth, WfmoDemultiplexer by,
                                      WindowsEvent event) {
        faults.failNth(function, nth, Errno.ENOMEM);
        String message = assertThrows(IOException.class, () -> by.register(event.handle(), EventType.READ, null))
                .getMessage();
        assertTrue(function.startsWith(message.substring(0, message.indexOf(' '))), message);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 259, 0xffff_ffffL})
    void processIsReadyOnceItHasEnded(long code) throws Exception {
        EndingProcess program = own(new EndingProcess(code));
        WindowsProcess process = own(WindowsProcess.open(program.pid()));
        Registration registration = register(process.handle());
        assertQuiet();
        assertFalse(process.hasEnded());
        assertEquals(OptionalInt.empty(), process.exitCode());
        program.askToEnd();
        assertReported(registration);
        assertTrue(process.hasEnded());
        assertEquals(OptionalInt.of((int) code), process.exitCode());
        registration.rearm();
        assertReported(registration);
        process.close();
        assertThrows(HandleClosedException.class, process::exitCode);
    }

    private static final class Counting implements EventHandler {

        private final Handle handle;
        private final Callable<?> hook;
        private int count;

        Counting(Handle handle, Callable<?> hook) {
            this.handle = handle;
            this.hook = hook;
        }

        @Override
        public Handle handle() {
            return handle;
        }

        @Override
        public void handleInput(Handle ready) throws IOException {
            count++;
            try {
                hook.call();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void aReactorDispatchesThem() throws Exception {
        EndingProcess program = own(new EndingProcess(0));
        try (Reactor reactor = Reactor.open("wfmo")) {
            WindowsEvent automatic = event(Reset.AUTOMATIC);
            WindowsEvent manual = event(Reset.MANUAL);
            WindowsProcess process = own(WindowsProcess.open(program.pid()));
            Counting ofManual = new Counting(manual.handle(), () -> {
                manual.reset();
                program.askToEnd();
                return null;
            });
            Counting ofAutomatic = new Counting(automatic.handle(), () -> {
                manual.set();
                return null;
            });
            Counting ofProcess = new Counting(process.handle(), () -> {
                reactor.stop();
                return null;
            });
            for (EventHandler handler : List.of(ofManual, ofAutomatic, ofProcess)) {
                reactor.registerHandler(handler, EventType.READ);
            }
            automatic.set();
            reactor.run();
            assertEquals(1, ofAutomatic.count);
            assertEquals(1, ofManual.count);
            assertTrue(ofProcess.count >= 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"afd", "afd-one-shot", "wsapoll", "select"})
    void theOthersSayWhoCanDoIt(String name) throws Exception {
        WindowsEvent event = event(Reset.MANUAL);
        try (SynchronousEventDemultiplexer other = Demultiplexers.openSynchronous(name)) {
            String message = assertThrows(IOException.class,
                    () -> other.register(event.handle(), EventType.READ, null)).getMessage();
            assertEquals(name + " cannot wait for " + event + ": it waits for sockets only; wfmo waits for events and "
                    + "processes, too", message);
        }
    }
}
