/**
 * C structures and constants as Java needs them, each chosen for the running system and CPU.
 *
 * <p>A structure is a class annotated {@link dev.sluice.calls.layout.CStruct} with {@code SIZE}, one {@code int} offset
 * per member, and static accessors over a native-order direct buffer; {@code at} is always the index where the
 * structure starts. A group of constants is a class annotated {@link dev.sluice.calls.layout.CConstants}, its fields
 * named as in C. A test walks all of these classes and compares every field with what the C compiler says, so nothing
 * in here is checked by eye, and a new field needs no new test. For macOS, FreeBSD and OpenBSD, where no compiler is at
 * hand, it compares with a table of what their headers say, to which a new field must be added. It also compares the
 * prototypes of the functions, which are the methods of the interfaces annotated
 * {@link dev.sluice.calls.layout.CFunctions}.
 */
@NullMarked
package dev.sluice.calls.layout;

import org.jspecify.annotations.NullMarked;
