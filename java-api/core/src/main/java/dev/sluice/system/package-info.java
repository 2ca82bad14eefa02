/**
 * The operating system below the wrapper facades and the demultiplexers: {@link dev.sluice.system.OperatingSystem}
 * hides the differences between Linux, macOS, the BSDs and Windows, and {@link dev.sluice.system.Scratch} is the memory
 * for the arguments of calls. {@link dev.sluice.system.VirtualThreads} hides a difference between versions of Java.
 *
 * <p>As in {@link dev.sluice.calls}, a result is a count or a descriptor, or a negated error number. The caller, which
 * knows the subject, interprets errors. No class in this package depends on handles, except for the options for opening
 * a file.
 *
 * <p>Not exported to programs.
 */
package dev.sluice.system;
