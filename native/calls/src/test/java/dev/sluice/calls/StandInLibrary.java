package dev.sluice.calls;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A library of C functions that stands in for one of Windows. Each function returns a {@link #digest} of its arguments,
 * or fails as the real one does where the first of them is {@link #FAIL}. One without a result writes the digest of the
 * others to where its first argument points.
 */
final class StandInLibrary {

    /** As a first argument it makes the function fail, with {@link #ERROR}. */
    static final int FAIL = 666;

    /** The error of a failing function. */
    static final int ERROR = 57;

    /** Where a digest begins, so that a single -1 does not make it 0. */
    private static final int SEED = 17;

    private static final Set<String> FAIL_BY_FALSE = Set.of("AcceptEx", "ConnectEx", "TransmitFile",
            "GetQueuedCompletionStatusEx", "PostQueuedCompletionStatus", "SetFileCompletionNotificationModes",
            "CancelIoEx", "GetOverlappedResult", "CloseHandle", "ReadFile", "WriteFile", "FlushFileBuffers",
            "LockFileEx", "UnlockFileEx",
            "GetFileSizeEx", "GetFileInformationByHandleEx", "SetFileInformationByHandle", "FlushViewOfFile",
            "UnmapViewOfFile", "SetEvent", "SetHandleInformation", "GetFinalPathNameByHandleW",
            "DeviceIoControl");
    private static final Set<String> FAIL_BY_NULL =
            Set.of("CreateIoCompletionPort", "CreateFileMappingW", "MapViewOfFile", "CreateEventW",
                    "GetModuleHandleW", "GetProcAddress");
    private static final Set<String> FAIL_BY_NUMBER = Set.of("WSAStartup");
    private static final Set<String> BY_POINTER =
            Set.of("AcceptEx", "ConnectEx", "TransmitFile", "GetAcceptExSockaddrs");

    private StandInLibrary() {
    }

    /** {@return the library of Windows that has the function} */
    static String of(String function) {
        boolean winsock = function.startsWith("WSA") || Character.isLowerCase(function.charAt(0));
        return function.startsWith("Nt") || function.startsWith("Rtl") ? "ntdll"
                : BY_POINTER.contains(function) ? "mswsock"
                : winsock ? "ws2_32" : "kernel32";
    }

    /** {@return the types of a function's own parameters: not of the pointer to it} */
    static List<Class<?>> parameters(Method method) {
        List<Class<?>> types = Arrays.asList(method.getParameterTypes());
        return types.subList(BY_POINTER.contains(method.getName()) ? 1 : 0, types.size());
    }

    /** {@return whether the function returns how it went, instead of setting an error} */
    static boolean returnsStatus(String function) {
        return of(function).equals("ntdll");
    }

    /** {@return a number above 0 in which the value, place and width of each argument counts} */
    static long digest(Class<?> result, List<? extends Number> arguments) {
        long sum = SEED;
        for (Number argument : arguments) {
            sum = sum * 31 + argument.longValue();
        }
        return result == int.class ? (int) (sum ^ sum >>> 32) & Integer.MAX_VALUE : sum & Long.MAX_VALUE;
    }

    /** Compiles the functions of one library of Windows. */
    static void compile(String library, Path file) throws IOException, InterruptedException {
        String name = file.getFileName().toString();
        Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-fno-builtin", "-w", "-Wl,-soname," + name,
                "-o", file.toString(), "-x", "c", "-").redirectErrorStream(true).start();
        try (OutputStream source = compiler.getOutputStream()) {
            source.write(source(library).getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) {
            throw new AssertionError("cc refuses the stand-in for " + library + ":\n" + output);
        }
    }

    private static String source(String library) {
        return "#include <errno.h>\n" + Arrays.stream(Windows.class.getDeclaredMethods())
                .filter(method -> of(method.getName()).equals(library))
                .map(StandInLibrary::source)
                .collect(Collectors.joining());
    }

    private static String source(Method method) {
        List<Class<?>> types = parameters(method);
        String parameters = IntStream.range(0, types.size())
                .mapToObj(i -> c(types.get(i)) + " a" + i)
                .collect(Collectors.joining(", "));
        boolean silent = method.getReturnType() == void.class;
        String sum = IntStream.range(silent ? 1 : 0, types.size())
                .mapToObj(i -> "sum = sum * 31 + (unsigned long long) (long long) a" + i + ";\n")
                .collect(Collectors.joining());
        String failure = "if (a0 == " + FAIL + ") { errno = " + ERROR + "; "
                + "return " + failing(method.getName()) + "; }\n";
        String result = method.getReturnType() == int.class
                ? "return (int) ((sum ^ sum >> 32) & 0x7fffffff);\n"
                : "return (long long) (sum & 0x7fffffffffffffff);\n";
        return c(method.getReturnType()) + " " + method.getName() + "(" + parameters + ") {\n"
                + "unsigned long long sum = " + SEED + ";\n" + sum
                + (silent ? "*(long long *) a0 = sum & 0x7fffffffffffffff;\n" : failure + result) + "}\n";
    }

    private static int failing(String function) {
        return FAIL_BY_FALSE.contains(function) || FAIL_BY_NULL.contains(function) ? 0
                : FAIL_BY_NUMBER.contains(function) ? ERROR : -1;
    }

    private static String c(Class<?> type) {
        return type == long.class ? "long long" : type.getName();
    }
}
