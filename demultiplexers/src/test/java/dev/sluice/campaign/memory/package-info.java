/**
 * The campaign "out of memory": a {@link dev.sluice.campaign.memory.ScarceServer} in a JVM of its own that has little
 * heap and little direct memory, which is where all bindings get native memory from. Its clients, which have enough,
 * make hooks run out of it, and have all of it taken away for a while, so that the library itself runs out as well, of
 * what lies in the heap and of what calls see. Unlike {@link dev.sluice.campaign.faults} nobody says which allocation
 * fails: whatever the virtual machine refuses is refused.
 */
package dev.sluice.campaign.memory;
