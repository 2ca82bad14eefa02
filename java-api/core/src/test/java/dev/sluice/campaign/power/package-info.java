/**
 * Power failures. What a program does to the files in a directory is {@linkplain
 * dev.sluice.campaign.power.RecordedDisk recorded} where it reaches the kernel, and replayed up to any point. What a
 * completed force covers is there; of the rest each change is there, or not, or a write is torn. So one run of a
 * program yields thousands of states that a disk may have after the power has failed.
 */
package dev.sluice.campaign.power;
