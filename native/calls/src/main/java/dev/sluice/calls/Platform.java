package dev.sluice.calls;

import java.util.Locale;

/**
 * The operating system and CPU that the process runs on, which decide every layout and constant.
 *
 * @param os  the operating system
 * @param cpu the instruction set
 */
public record Platform(Os os, Cpu cpu) {

    /** The systems that this library distinguishes. */
    public enum Os {
        /** Linux. */
        LINUX("Linux"),
        /** macOS. */
        MACOS("macOS"),
        /** FreeBSD. */
        FREEBSD("FreeBSD"),
        /** OpenBSD. */
        OPENBSD("OpenBSD"),
        /** Windows. */
        WINDOWS("Windows"),
        /** Anything else: nothing native is usable there. */
        OTHER("this system");

        private final String title;

        Os(String title) {
            this.title = title;
        }

        /** {@return the system's name as its makers write it} */
        public String title() {
            return title;
        }
    }

    /** The instruction sets whose layouts this library knows. */
    public enum Cpu {
        /** AMD64 / Intel 64. */
        X86_64,
        /** 64-bit ARM. */
        AARCH64,
        /** Anything else. */
        OTHER
    }

    /** The platform of this process. */
    public static final Platform CURRENT =
            of(System.getProperty("os.name"), System.getProperty("os.arch"));

    static Platform of(String osName, String osArch) {
        String name = osName.toLowerCase(Locale.ROOT);
        Os os = name.startsWith("linux") ? Os.LINUX
                : name.startsWith("mac") ? Os.MACOS
                : name.startsWith("freebsd") ? Os.FREEBSD
                : name.startsWith("openbsd") ? Os.OPENBSD
                : name.startsWith("windows") ? Os.WINDOWS
                : Os.OTHER;
        Cpu cpu = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> Cpu.X86_64;
            case "aarch64", "arm64" -> Cpu.AARCH64;
            default -> Cpu.OTHER;
        };
        return new Platform(os, cpu);
    }

    /** {@return whether this is Linux on a CPU whose layouts are known} */
    public boolean isLinux() {
        return os == Os.LINUX && cpu != Cpu.OTHER;
    }

    /** {@return for example {@code Linux x86_64}} */
    @Override
    public String toString() {
        return os.title() + " " + cpu.name().toLowerCase(Locale.ROOT);
    }
}
