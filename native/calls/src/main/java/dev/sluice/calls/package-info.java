/**
 * The operating system as Java sees it: one method per C function, in one interface per family of systems.
 *
 * <p>Everything here is deliberately thin. A descriptor is an {@code int}, a pointer is a {@code long}, and a result is
 * the result in C, or the negated error number if C sets {@code errno}. A call does not allocate, throws no exceptions
 * and has no policy: the caller, which has the context, decides what an error means.
 *
 * <p>A {@link dev.sluice.calls.Binding} makes the calls, over {@code java.lang.foreign} or over JNA. Bindings are found
 * by {@link java.util.ServiceLoader}, best first; this package does not refer to one. Because the calls are interfaces,
 * a test can decorate them, for example so that the n-th call fails, or replace them by those of another system.
 *
 * <p>Only 64-bit systems are supported: a pointer, a {@code size_t} and a C {@code long} (outside Windows) are 8 bytes.
 */
@NullMarked
package dev.sluice.calls;

import org.jspecify.annotations.NullMarked;
