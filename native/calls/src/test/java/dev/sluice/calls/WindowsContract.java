package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.File;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The calls of {@link Windows}, without Windows: each reaches the function of its name in the right library, with every
 * argument whole and in its place, and a failure comes back as the negated error. What the real functions do, and the
 * calling convention of Windows, are not shown.
 */
@EnabledOnOs(OS.LINUX)
public abstract class WindowsContract {

    /** The libraries that have the calls. */
    protected static final List<String> LIBRARIES = List.of("ws2_32", "mswsock", "kernel32", "ntdll");

    @TempDir
    static Path libraries;

    private final Memory memory;
    private Windows windows;

    protected WindowsContract(Memory memory) {
        this.memory = memory;
    }

    /** {@return the file's name by which the binding looks for a library of Windows here} */
    protected abstract String fileName(String library);

    /** Creates the binding find its libraries in a directory. */
    protected abstract Windows load(Path directory);

    /** {@return where the loaded library has the function} */
    protected abstract long addressOf(String library, String function);

    @BeforeEach
    void standIn() throws Exception {
        boolean compilable = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "cc")));
        if (!compilable) {
            System.out.println("WindowsContract skipped: no cc on the PATH");
        }
        assumeTrue(compilable, "no cc on the PATH");
        for (String library : LIBRARIES) {
            StandInLibrary.compile(library, libraries.resolve(fileName(library)));
        }
        windows = load(libraries);
    }

    @TestFactory
    Stream<DynamicTest> callsReachTheirFunctions() {
        return Arrays.stream(Windows.class.getDeclaredMethods())
                .map(method -> dynamicTest(method.getName(), () -> reaches(method)));
    }

    private void reaches(Method method) throws ReflectiveOperationException {
        List<Number> arguments = new ArrayList<>();
        for (Class<?> type : StandInLibrary.parameters(method)) {
            int place = arguments.size() + 1;
            // What is cut, or lands in another place, changes the digest.
            arguments.add(number(type, type == long.class ? (long) place << 40 | place : -place));
        }
        if (method.getReturnType() == void.class) {
            writes(method, arguments);
            return;
        }
        long digest = StandInLibrary.digest(method.getReturnType(), arguments);
        long success = method.getName().equals("WSAStartup") ? -digest : digest;
        assertEquals(success, call(method, arguments), () -> method + " of " + arguments);
        arguments.set(0, number(StandInLibrary.parameters(method).get(0), StandInLibrary.FAIL));
        long failure = StandInLibrary.returnsStatus(method.getName()) ? -1 : -StandInLibrary.ERROR;
        assertEquals(failure, call(method, arguments), () -> method + " of " + arguments);
    }

    private static Number number(Class<?> type, long value) {
        if (type == long.class) {
            return value;
        }
        return (int) value;
    }

    private void writes(Method method, List<Number> arguments) throws ReflectiveOperationException {
        try (MemoryBlock block = memory.allocate(Long.BYTES)) {
            long digest = StandInLibrary.digest(long.class, arguments.subList(1, arguments.size()));
            arguments.set(0, block.address());
            call(method, arguments);
            assertEquals(digest, block.buffer().getLong(0), () -> method + " of " + arguments);
        }
    }

    private long call(Method method, List<Number> arguments) throws ReflectiveOperationException {
        List<Object> all = new ArrayList<>(arguments);
        if (method.getParameterCount() > arguments.size()) {
            all.add(0, addressOf(StandInLibrary.of(method.getName()), method.getName()));
        }
        Object result = method.invoke(windows, all.toArray());
        return result == null ? 0 : ((Number) result).longValue();
    }
}
