package dev.sluice.wine;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Platform;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What must be installed.
 *
 * @param wine      starts a Windows program
 * @param server    {@code wineserver}, which plays the Windows kernel for all programs of one prefix
 * @param compiler  makes a Windows program from C
 * @param libraries the directory of Wine's own versions of the libraries of Windows
 */
record WineInstallation(Path wine, Path server, Path compiler, Path libraries) {

    // Debian keeps the 64-bit loader off the PATH, where it puts a script that complains of a missing 32-bit one.
    private static final Path DEBIAN = Path.of("/usr/lib/wine");

    static Availability availability() {
        Platform here = Platform.CURRENT;
        String missing = here.os() != Platform.Os.LINUX || here.cpu() != Platform.Cpu.X86_64 ? "Linux on x86_64"
                : findWine().isEmpty() ? "wine64"
                : findServer().isEmpty() ? "wineserver"
                : findLibraries().isEmpty() ? "Wine's x86_64-windows libraries"
                : findCompiler().isEmpty() ? "x86_64-w64-mingw32-gcc"
                : "";
        return missing.isEmpty() ? Availability.USABLE : Availability.missing("needs " + missing);
    }

    /** To be called only if {@link #availability()} says usable. */
    static WineInstallation find() {
        return new WineInstallation(findWine().orElseThrow(), findServer().orElseThrow(),
                findCompiler().orElseThrow(), findLibraries().orElseThrow());
    }

    private static Optional<Path> findWine() {
        return program("wine64", "wine");
    }

    private static Optional<Path> findServer() {
        return program("wineserver");
    }

    private static Optional<Path> findCompiler() {
        return program("x86_64-w64-mingw32-gcc");
    }

    private static Optional<Path> program(String... names) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(names)
                .flatMap(name -> Stream.concat(Stream.of(path.split(File.pathSeparator)).map(Path::of),
                        Stream.of(DEBIAN)).map(directory -> directory.resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Optional<Path> findLibraries() {
        return Stream.of("/usr/lib/x86_64-linux-gnu/wine", "/usr/lib64/wine", "/usr/lib/wine",
                        "/opt/wine-stable/lib64/wine", "/opt/wine-stable/lib/wine")
                .map(directory -> Path.of(directory, "x86_64-windows"))
                .filter(directory -> Files.isRegularFile(directory.resolve("ws2_32.dll")))
                .findFirst();
    }
}
