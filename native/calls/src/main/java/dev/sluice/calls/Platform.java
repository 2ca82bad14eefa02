package dev.sluice.calls;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The operating system and CPU that the process runs on, which determine all layouts and constants.
 *
 * @param os  the operating system
 * @param cpu the instruction set
 */
public record Platform(Os os, Cpu cpu) {

    /** The systems that this library distinguishes. */
    public enum Os {
        /** Linux. */
        LINUX("Linux", Cpu.X86_64, Cpu.AARCH64, Cpu.RISCV64, Cpu.PPC64LE, Cpu.S390X, Cpu.LOONGARCH64),
        /** macOS. */
        MACOS("macOS", Cpu.X86_64, Cpu.AARCH64),
        /** FreeBSD. */
        FREEBSD("FreeBSD", Cpu.X86_64, Cpu.AARCH64),
        /** OpenBSD. */
        OPENBSD("OpenBSD", Cpu.X86_64, Cpu.AARCH64),
        /** Windows. */
        WINDOWS("Windows", Cpu.X86_64, Cpu.AARCH64),
        /** Any other system: no binding is usable there. */
        OTHER("this system");

        private final String title;
        private final List<Cpu> known;

        Os(String title, Cpu... known) {
            this.title = title;
            this.known = List.of(known);
        }

        /** {@return the name of the system in its official spelling} */
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
        /** 64-bit RISC-V. */
        RISCV64,
        /** 64-bit POWER, little-endian; the big-endian variant, ppc64, is not supported. */
        PPC64LE,
        /** 64-bit IBM Z, which is big-endian. */
        S390X,
        /** 64-bit LoongArch. */
        LOONGARCH64,
        /**
         * Any other processor. That includes all 32-bit processors such as {@code arm}, although JNA supports some:
         * pointers, {@code size_t} and {@code off_t} are a {@code long} in all calls and eight bytes in all structures
         * here.
         */
        OTHER;

        /** {@return the instruction set's name in lower case, such as {@code x86_64}} */
        public String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The names in Java of processors on which a pointer has 32 bits. */
    private static final Set<String> NARROW =
            Set.of("arm", "i386", "mips", "mipsel", "ppc", "riscv32", "s390", "sparc", "x86");

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
            case "riscv64" -> Cpu.RISCV64;
            case "ppc64le" -> Cpu.PPC64LE;
            case "s390x" -> Cpu.S390X;
            case "loongarch64" -> Cpu.LOONGARCH64;
            default -> Cpu.OTHER;
        };
        return new Platform(os, cpu);
    }

    /** {@return whether this is Linux on a CPU whose layouts are known} */
    public boolean isLinux() {
        return os == Os.LINUX && os.known.contains(cpu);
    }

    /**
     * {@return whether the layouts and constants of the platform of this process are known} If not, calls would read
     * and write wrong bytes, so no binding is usable.
     */
    public static Availability availability() {
        return availability(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Availability availability(String osName, String osArch) {
        Platform platform = of(osName, osArch);
        if (platform.os.known.contains(platform.cpu)) {
            return Availability.USABLE;
        }
        String known = platform.os.known.stream().map(Cpu::title).collect(Collectors.joining(", "));
        return Availability.missing("the layouts of " + osName + " on " + osArch + " are not known here"
                + (known.isEmpty() ? "" : ", only those on " + known)
                + (NARROW.contains(osArch.toLowerCase(Locale.ROOT))
                        ? ": pointers and sizes have 32 bits there, and 64 in every call here" : ""));
    }

    /** {@return for example {@code Linux x86_64}} */
    @Override
    public String toString() {
        return os.title() + " " + cpu.title();
    }
}
