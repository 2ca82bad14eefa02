package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The open handles of this process on Windows, each with the type of its object. The JVM opens events and thread
 * handles for the threads that it runs, so these are counted without the JVM's own. Events are not compared if more
 * threads have run concurrently than ever before, because the JVM keeps an unknown number of events for them.
 */
final class WindowsHandles {

    /** Of sockets, files, pipes and the device AFD. */
    private static final String FILE = "File";
    private static final String EVENT = "Event";
    private static final String THREAD = "Thread";
    private static final String PROCESS_TYPE = "Process";
    private static final Set<String> EXACT = Set.of(FILE, "IoCompletion", PROCESS_TYPE);
    /** HotSpot reuses the events of ended threads, so starting many now means that none are opened later. */
    private static final int MANY_THREADS = 100;
    /** HotSpot holds another event while the thread runs, and Winsock one if the thread has called it. */
    private static final int HELD_EVENTS = 2;

    /** How often to retry for two equal results in a row while other threads open and close handles. */
    private static final int LOOKS = 20;

    private static final int SYSTEM_EXTENDED_HANDLE_INFORMATION = 64;
    private static final int STATUS_INFO_LENGTH_MISMATCH = 0xc000_0004;
    private static final int OBJECT_TYPE_INFORMATION = 2;
    // SYSTEM_HANDLE_INFORMATION_EX: NumberOfHandles, Reserved, Handles[].
    private static final int ENTRIES = 16;
    // SYSTEM_HANDLE_TABLE_ENTRY_INFO_EX: Object, UniqueProcessId, HandleValue, GrantedAccess, CreatorBackTraceIndex,
    // ObjectTypeIndex, HandleAttributes, Reserved.
    private static final int ENTRY_SIZE = 40;
    private static final int PROCESS_ID = 8;
    private static final int HANDLE_VALUE = 16;
    private static final int OBJECT_TYPE_INDEX = 30;
    private static final int THREAD_BASIC_INFORMATION = 0;
    // THREAD_BASIC_INFORMATION: ExitStatus, TebBaseAddress, ClientId (process, thread), AffinityMask, Priority,
    // BasePriority.
    private static final int THREAD_BASIC_INFORMATION_SIZE = 48;
    private static final int CLIENT_THREAD = 24;
    private static final int SYNCHRONIZE = 0x10_0000;

    private static final Function QUERY_SYSTEM = Function.getFunction("ntdll", "NtQuerySystemInformation");
    private static final Function QUERY_OBJECT = Function.getFunction("ntdll", "NtQueryObject");
    private static final Function QUERY_THREAD = Function.getFunction("ntdll", "NtQueryInformationThread");
    private static final NativeLibrary KERNEL = NativeLibrary.getInstance("kernel32");
    private static final Function CURRENT_THREAD_ID = KERNEL.getFunction("GetCurrentThreadId");
    private static final Function OPEN_THREAD = KERNEL.getFunction("OpenThread");
    private static final Function WAIT = KERNEL.getFunction("WaitForSingleObject");
    private static final Function CLOSE = KERNEL.getFunction("CloseHandle");
    private static final long PROCESS = ProcessHandle.current().pid();
    private static final ThreadGroup ALL_THREADS = RunningThreads.root();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Map<Integer, String> TYPE_NAMES = new ConcurrentHashMap<>();

    private static Memory list = new Memory(1 << 18);
    private static boolean hasStartedMany;
    /** The handle that HotSpot kept last. The next one usually gets the same number. */
    private static long lastKept;

    // The JVM opens a jar when it first searches it for a resource: all of them for one that does not exist.
    static {
        assertNull(ClassLoader.getSystemResource("in no jar"));
    }

    private final Map<Long, String> types = new TreeMap<>();
    private final Set<Thread> threads;
    private final long peakThreads;

    private WindowsHandles() {
        threads = RunningThreads.in(ALL_THREADS);
        peakThreads = THREADS.getPeakThreadCount();
    }

    /** Not in a static initializer, which the threads would wait for. */
    private static void startMany() {
        CountDownLatch all = new CountDownLatch(MANY_THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < MANY_THREADS; i++) {
            threads.add(new Thread(() -> {
                all.countDown();
                awaitQuietly(all);
            }));
        }
        threads.forEach(Thread::start);
        threads.forEach(WindowsHandles::joinQuietly);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void joinQuietly(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static synchronized WindowsHandles now() {
        prepare();
        WindowsHandles found = lookAfterAThread();
        WindowsHandles next = lookAfterAThread();
        for (int i = 0; i < LOOKS && !found.isStillTrueAt(next); i++) {
            found = next;
            next = lookAfterAThread();
        }
        // The threads of the first one ran before and after it listed the handles.
        return found;
    }

    /**
     * {@return the open handles, including those that other threads open briefly: enough to detect that nothing more is
     * open than before}
     */
    static synchronized WindowsHandles glance() {
        prepare();
        return lookAfterAThread();
    }

    private static void prepare() {
        if (!hasStartedMany) {
            hasStartedMany = true;
            startMany();
        }
    }

    private boolean isStillTrueAt(WindowsHandles next) {
        return kinds().equals(next.kinds()) && threads.equals(next.threads);
    }

    /**
     * HotSpot keeps the handle of an ended thread until another one ends; that handle is left out here. While a thread
     * is ending, it may keep none, one or several.
     */
    private static WindowsHandles lookAfterAThread() {
        Patience patience = new Patience();
        do {
            long ended = runThread();
            WindowsHandles found = look();
            if (found.leaveOutHandleOf(ended)) {
                return found;
            }
            // Another thread has ended since.
        } while (patience.lasts());
        throw new AssertionError("HotSpot keeps no handle of the thread that has ended last");
    }

    /** Runs a thread until the system has ended it, which is later than its end in Java. Returns its number. */
    private static long runThread() {
        AtomicReference<Pointer> handle = new AtomicReference<>();
        AtomicInteger id = new AtomicInteger();
        Thread thread = new Thread(() -> {
            id.set(CURRENT_THREAD_ID.invokeInt(new Object[0]));
            handle.set(OPEN_THREAD.invokePointer(new Object[] {SYNCHRONIZE, 0, id.get()}));
        });
        thread.start();
        joinQuietly(thread);
        int result = WAIT.invokeInt(new Object[] {handle.get(), (int) Patience.LIMIT.toMillis()});
        CLOSE.invokeInt(new Object[] {handle.get()});
        assertEquals(0, result, "WaitForSingleObject of a thread that ends");
        return Integer.toUnsignedLong(id.get());
    }

    /** {@return whether there was one} */
    private boolean leaveOutHandleOf(long thread) {
        if (isHandleOf(thread, lastKept)) {
            return types.remove(lastKept) != null;
        }
        for (long handle : types.keySet()) {
            if (isHandleOf(thread, handle)) {
                lastKept = handle;
                return types.remove(handle) != null;
            }
        }
        return false;
    }

    private boolean isHandleOf(long thread, long handle) {
        if (!THREAD.equals(types.get(handle))) {
            return false;
        }
        Memory information = new Memory(THREAD_BASIC_INFORMATION_SIZE);
        int status = QUERY_THREAD.invokeInt(new Object[] {Pointer.createConstant(handle), THREAD_BASIC_INFORMATION,
            information, THREAD_BASIC_INFORMATION_SIZE, null});
        return status == 0 && information.getLong(CLIENT_THREAD) == thread;
    }

    /** {@return the types of the objects, one for each handle} */
    private List<String> kinds() {
        return types.values().stream().sorted().toList();
    }

    private static WindowsHandles look() {
        WindowsHandles found = new WindowsHandles();
        read();
        long count = list.getLong(0);
        for (long i = 0; i < count; i++) {
            long entry = ENTRIES + i * ENTRY_SIZE;
            if (list.getLong(entry + PROCESS_ID) == PROCESS) {
                long handle = list.getLong(entry + HANDLE_VALUE);
                int index = list.getShort(entry + OBJECT_TYPE_INDEX);
                found.types.put(handle, TYPE_NAMES.computeIfAbsent(index, ignored -> typeName(handle)));
            }
        }
        return found;
    }

    private static void read() {
        int status = query();
        while (status == STATUS_INFO_LENGTH_MISMATCH) {
            list = new Memory(list.size() * 2);
            status = query();
        }
        if (status != 0) {
            throw new AssertionError("NtQuerySystemInformation: 0x" + Integer.toHexString(status));
        }
    }

    private static int query() {
        return QUERY_SYSTEM.invokeInt(new Object[] {SYSTEM_EXTENDED_HANDLE_INFORMATION, list, (int) list.size(), null});
    }

    /** {@return null if the handle has been closed since} */
    private static String typeName(long handle) {
        Memory information = new Memory(1024);
        int status = QUERY_OBJECT.invokeInt(new Object[] {Pointer.createConstant(handle), OBJECT_TYPE_INFORMATION,
            information, (int) information.size(), null});
        // OBJECT_TYPE_INFORMATION begins with a UNICODE_STRING: Length in bytes, MaximumLength, Buffer.
        return status != 0 ? null
                : new String(information.getPointer(8).getCharArray(0, information.getShort(0) / Character.BYTES));
    }

    /** {@return the type of the handle's object; empty if it is not open} */
    Optional<String> type(long handle) {
        return Optional.ofNullable(types.get(handle));
    }

    /** {@return the handles here that are not among the others, and that the JVM has not opened for its threads} */
    List<String> without(WindowsHandles others) {
        List<String> leaked = new ArrayList<>(lackedBy(others, EXACT));
        long started = lacking(threads, others.threads);
        long ended = lacking(others.threads, threads);
        if (peakThreads == others.peakThreads) {
            add(leaked, EVENT, count(EVENT) - others.count(EVENT) - HELD_EVENTS * started + ended);
        }
        add(leaked, THREAD, count(THREAD) - others.count(THREAD) - started + ended);
        return leaked;
    }

    /**
     * {@return the handles here that are not among the others, except events and threads, which the JVM also closes,
     * and processes, whose handles are closed by the garbage collector}
     */
    List<String> lackedBy(WindowsHandles others) {
        Set<String> counted = new HashSet<>(EXACT);
        counted.remove(PROCESS_TYPE);
        return lackedBy(others, counted);
    }

    private List<String> lackedBy(WindowsHandles others, Set<String> counted) {
        return types.entrySet().stream()
                .filter(entry -> counted.contains(entry.getValue()))
                .filter(entry -> !entry.getValue().equals(others.types.get(entry.getKey())))
                .map(entry -> "0x" + Long.toHexString(entry.getKey()) + " -> " + entry.getValue())
                .toList();
    }

    private static long lacking(Set<Thread> these, Set<Thread> others) {
        return these.stream().filter(thread -> !others.contains(thread)).count();
    }

    private static void add(List<String> leaked, String type, long count) {
        if (count > 0) {
            leaked.add(count + " of " + type);
        }
    }

    private long count(String type) {
        return types.values().stream().filter(type::equals).count();
    }
}
